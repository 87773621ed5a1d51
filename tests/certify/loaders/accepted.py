"""What every refusal of an unknown model ends with."""

ACCEPTED = (
    "accepted are a BERT folder with config.json and model.safetensors; the demo model minilm; "
    "a transformers BertSelfAttention, BertAttention or BertLayer; "
    "a transformers LlamaAttention or LlamaDecoderLayer; a torch.nn.TransformerEncoderLayer; "
    "a torch.nn.MultiheadAttention"
)
