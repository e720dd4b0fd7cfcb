"""Sockets: two adapters behind one port, `ubongo.server.connection.Wire`."""
