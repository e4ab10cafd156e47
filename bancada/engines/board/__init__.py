"""The engine `board`: a real device behind a serial port (docs/how-to/your-own-board.md)."""

from __future__ import annotations

from bancada.engines.board.engine import Board

ENGINE = Board
