# Runs Jotsam for this plugin: the launcher of `jotsam install` if there is one, or `jotsam` on the PATH.
if [ "$1" = hook ]; then
    # `jotsam install` adds the same hooks. A turn is stored once, but its context would be given twice.
    for settings in "${GEMINI_CLI_HOME:-$HOME}/.gemini/settings.json" "$GEMINI_PROJECT_DIR/.gemini/settings.json"; do
        grep -q "hook --harness $3" "$settings" 2>/dev/null && exit 0
    done
fi
data="${XDG_DATA_HOME:-$HOME/.local/share}"
[ -z "$XDG_DATA_HOME" ] && [ -d "$HOME/Library/Application Support" ] && data="$HOME/Library/Application Support"
program="$data/jotsam/bin/jotsam"
[ -n "$LOCALAPPDATA" ] && program="${XDG_DATA_HOME:-$LOCALAPPDATA}/jotsam/bin/jotsam.cmd" # Windows, in Git Bash
[ -f "$program" ] || program=$(command -v jotsam)
if [ "$1" = hook ]; then
    [ -n "$program" ] && "$program" "$@" 2>/dev/null
    exit 0
fi
[ -n "$program" ] && exec "$program" "$@"
echo "error: jotsam is not on the PATH: install it, for example with \`pipx install jotsam\`" >&2
exit 127
