"""What several commands share. The commands themselves are the modules of `ubongo.commands`."""
