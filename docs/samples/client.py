import json, os, urllib.error, urllib.request

BASE = os.environ.get("BASE", "http://localhost:4000")
KEY = os.environ["KEY"]  # a secret key


def florin(method, path, body=None):
    """Sends a request and returns the document. Raises the first error of a refused request."""
    request = urllib.request.Request(BASE + path, method=method, headers={
        "Authorization": f"Bearer {KEY}",
        "User-Agent": "my-shop/1.0",
        "Content-Type": "application/vnd.api+json",
    }, data=None if body is None else json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as refused:
        error = json.load(refused)["errors"][0]
        raise RuntimeError(f"{error['code']}: {error['detail']}") from None
