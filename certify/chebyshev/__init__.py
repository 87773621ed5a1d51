"""The norm of a Jacobian from above with a stated probability: a random start and a recurrence in doubles."""
