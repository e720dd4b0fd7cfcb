"""WebSockets: who may connect, each connection and its transport, and the hand-over between worker processes."""
