import hashlib, hmac, re, time


def verify(body: bytes, edge_signature: str, secret: str) -> bool:
    """Whether the raw body was signed with the secret in the last five minutes."""
    match = re.fullmatch(r"t=(\d+),v3=([0-9a-f]{64})", edge_signature)
    if not match or abs(time.time() - int(match[1])) > 300:
        return False
    expected = hmac.new(secret.encode(), match[1].encode() + b"." + body, hashlib.sha256)
    return hmac.compare_digest(expected.hexdigest(), match[2])
