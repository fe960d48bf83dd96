"""Raw events: what the launcher of `jotsam install` kept when the program could not be run.

The launcher is a shell script, so the format is plain. Each event is a file `hooks.spool/<time>-<pid>.event` in the
data folder, with mode 0600; the time has nanoseconds, so that the names sort in order. It is written under another
name (`.part`) and renamed, so it is complete or absent. Its lines:

1. the arguments of `jotsam`, separated by spaces, such as `hook --harness codex`;
2. the working directory;
3. any number of lines `JOTSAM_NAME=value`: those of the variables JOTSAM_DB, JOTSAM_TENANT, JOTSAM_PROJECT and
   JOTSAM_CAPTURE that were set;
4. the rest is the event as the agent sent it, a JSON object.
"""
