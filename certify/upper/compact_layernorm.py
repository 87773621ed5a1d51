"""The compact-set theorem on the ellipsoid of tokens that the LayerNorm before the layer can produce."""

from ..method import Enclosed, Method
from ..situation import Situation


def enclosed(situation: Situation) -> Enclosed:
    norms = situation.norms
    return Enclosed(
        {
            "n": len(situation.X),
            "d": situation.layer.width,
            "norm_V": norms.V,
            "norm_VG": norms.V_through,
            "norm_GA": norms.A_left,
            "norm_AG": norms.A_right,
            "norm_GAG": norms.A_both,
            "norm_c": norms.shift,
            "norm_Gc": norms.shift_through,
        }
    )


METHOD = Method(theorem="compact-layernorm", domain="layernorm", enclosed=enclosed)
