"""The part of the engine that needs Qt: profile, view, load, settle, collect."""
