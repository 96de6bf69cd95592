"""What every operation of the call protocol reads from its input."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kernel import codec
from kernel.config import Config
from kernel.model import CoreMessage
from kernel.ports import Ports
from kernel.state import CompressionState

__all__ = ["CallError", "Host", "Json", "read_config", "read_messages", "read_state"]

Json = Mapping[str, Any]


class CallError(ValueError):
    """A request that cannot be answered: a code, what to do, where in the request."""

    def __init__(self, code: str, message: str, at: str | int) -> None:
        super().__init__(message)
        self.code, self.message, self.at = code, message, at


@frozen
class Host:
    """The defaults of a stream."""

    config: Config
    now: float
    ports: Ports


def read_messages(data: Json) -> list[CoreMessage]:
    """Read the messages of an input."""
    return [codec.message_from_json(item) for item in data["messages"]]


def read_state(data: Json) -> CompressionState:
    """Read the state of an input."""
    return codec.state_from_json(data.get("state"))


def read_config(data: Json, host: Host) -> Config:
    """Read the configuration of an input over the stream's defaults."""
    return codec.config_from_json(data.get("config"), host.config)
