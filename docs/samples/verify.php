<?php
/** Whether the raw body was signed with the secret in the last five minutes. */
function verify(string $body, string $edgeSignature, string $secret): bool
{
    if (!preg_match('/^t=(\d+),v3=([0-9a-f]{64})$/', $edgeSignature, $match)) return false;
    $expected = hash_hmac('sha256', "$match[1].$body", $secret);
    return abs(time() - (int) $match[1]) <= 300 && hash_equals($expected, $match[2]);
}
