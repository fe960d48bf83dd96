"""What detect-secrets reports of each text in a JSON list on standard input. Run with the Python of the peers."""

import json
import sys
import tempfile
from pathlib import Path

from detect_secrets import SecretsCollection  # type: ignore[import-not-found,unused-ignore]
from detect_secrets.settings import default_settings  # type: ignore[import-not-found,unused-ignore]


def main() -> None:
    found = []
    with tempfile.TemporaryDirectory() as folder, default_settings():
        for number, text in enumerate(json.load(sys.stdin)):
            path = Path(folder) / f"{number}.txt"
            path.write_text(text)
            secrets = SecretsCollection()
            secrets.scan_file(str(path))
            found.append([secret.secret_value for _, secret in secrets])
            path.unlink()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
