"""ONNX graphs built operator by operator; weights are referred to by name (see `methods/onnx_file.py`)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt
import torch
from onnx import TensorProto, helper

from phrasemill.methods.onnx_file import Weights
from phrasemill_lab.networks.onnx_files import Graph

MICROSOFT = "com.microsoft"  # ONNX Runtime's own operators
OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid(MICROSOFT, 1)]
IR_VERSION = 9
FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64
Shape = Sequence[int | str]


def weights_of(model: torch.nn.Module) -> dict[str, npt.NDArray[Any]]:
    return {name: values.detach().float().cpu().numpy() for name, values in model.state_dict().items()}


@dataclass(slots=True)
class GraphBuilder:
    """Builds an ONNX graph: a call adds an operator and returns the name of its result, `several` those of more."""

    weights: Weights
    nodes: list[Any] = field(default_factory=list)
    used: dict[str, Any] = field(default_factory=dict)

    def __call__(self, operator: str, *inputs: str, **attributes: Any) -> str:
        return self.several(1, operator, *inputs, **attributes)[0]

    def several(self, results: int, operator: str, *inputs: str, **attributes: Any) -> list[str]:
        outputs = [f"{operator}_{len(self.nodes)}_{number}" for number in range(results)]
        self.nodes.append(helper.make_node(operator, list(inputs), outputs, **attributes))
        return outputs

    def weight(self, name: str) -> str:
        """Refer to a tensor that is given when the graph is opened."""
        if name not in self.used:
            values = self.weights[name]
            kind = helper.np_dtype_to_tensor_dtype(values.dtype)
            tensor = TensorProto(name=name, dims=values.shape, data_type=kind, data_location=TensorProto.EXTERNAL)
            for key, value in (("location", "weights"), ("offset", "0"), ("length", str(values.nbytes))):
                tensor.external_data.add(key=key, value=value)
            self.used[name] = tensor
        return name

    def constant(self, kind: int, shape: Sequence[int], *values: float) -> str:
        return self("Constant", value=helper.make_tensor("", kind, shape, values))

    def numbers(self, *values: int) -> str:
        return self.constant(INT, [len(values)], *values)

    def real(self, value: float) -> str:
        return self.constant(FLOAT, [1], value)

    def scalar(self, value: int) -> str:
        return self.constant(INT, [], value)

    def linear(self, layer: str, values: str) -> str:
        """values (rows, in) → (rows, out)."""
        bias = [self.weight(f"{layer}.bias")] if f"{layer}.bias" in self.weights else []
        return self("Gemm", values, self.weight(f"{layer}.weight"), *bias, transB=1)

    def gru(self, layer: str, *inputs: str, directions: str = "forward") -> list[str]:
        """inputs: x (time, rows, in), lengths or nothing, first state or nothing → all states, last states."""
        hidden = self.weights[f"{layer}.R"].shape[2]
        x, *rest = inputs
        named = [self.weight(f"{layer}.{part}") for part in "WRB"]
        options = {"hidden_size": hidden, "linear_before_reset": 1, "direction": directions}
        return self.several(2, "GRU", x, *named, *rest, **options)

    def done(
        self, name: str, inputs: dict[str, tuple[int, Shape]], outputs: dict[str, tuple[str, int, Shape]]
    ) -> Graph:
        """Return the graph, with its results under names of their own."""
        public = {inner: name for name, (inner, _, _) in outputs.items()}
        for node in self.nodes:
            for names in (node.input, node.output):
                names[:] = [public.get(one, one) for one in names]
        given = [helper.make_tensor_value_info(one, kind, list(shape)) for one, (kind, shape) in inputs.items()]
        made = [helper.make_tensor_value_info(one, kind, list(shape)) for one, (_, kind, shape) in outputs.items()]
        graph = helper.make_graph(self.nodes, name, given, made, list(self.used.values()))
        model = helper.make_model(graph, opset_imports=OPSETS, ir_version=IR_VERSION)
        return Graph(model.SerializeToString(deterministic=True), tuple(self.used))
