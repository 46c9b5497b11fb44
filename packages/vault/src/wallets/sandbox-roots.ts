/**
 * Roots that sign the sandbox's wallet tokens. Their private keys are public in the simulator's source, so
 * live mode refuses to start with one of them.
 */
export const SANDBOX_APPLE_ROOT = `-----BEGIN CERTIFICATE-----
MIIBVDCB+qADAgECAgkAwuv0QTAMuFMwCgYIKoZIzj0EAwIwJTEjMCEGA1UEAwwa
RmxvcmluIFNhbmRib3ggV2FsbGV0IFJvb3QwHhcNMjAwMTAxMDAwMDAwWhcNNDkx
MjMxMDAwMDAwWjAlMSMwIQYDVQQDDBpGbG9yaW4gU2FuZGJveCBXYWxsZXQgUm9v
dDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKNdKrTsHLNq2YGwWSHq8YWO5efV
4DGSwRJbb/SWzZ704yw6a5d7ENbyD6suQT5k5cs4ylvN7LeW7HDmko2PM7OjEzAR
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAPOepCc/4KWw7H07
JoMcUwycC+0mnocv1+dFU74ooaNBAiEAhzZ0WLWhSzmYAXE9COWumUw3TYn/Kbtr
6uGKp4wcJLM=
-----END CERTIFICATE-----
`;

/** Public key (SPKI) in base64. */
export const SANDBOX_GOOGLE_ROOT =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHcJR8OCxu1BmHEM0p2Kf7y/XvTUL5c0SvLafDKV7aHhHyJIUI6LTHYzG4ZkLzLEyd/FKfiQ7gTa4dherk+TgjQ==';
