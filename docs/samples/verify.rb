require "openssl"

# Whether the raw body was signed with the secret in the last five minutes.
def verify(body, edge_signature, secret)
  match = /\At=(\d+),v3=([0-9a-f]{64})\z/.match(edge_signature) or return false
  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{match[1]}.#{body}")
  (Time.now.to_i - match[1].to_i).abs <= 300 && OpenSSL.fixed_length_secure_compare(expected, match[2])
end
