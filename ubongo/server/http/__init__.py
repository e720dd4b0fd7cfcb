"""The HTTP API, the built page and printed files: what a browser asks for outside the WebSocket."""
