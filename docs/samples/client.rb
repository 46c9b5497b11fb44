require "json"
require "net/http"

BASE = ENV.fetch("BASE", "http://localhost:4000")
KEY = ENV.fetch("KEY") # a secret key

# Sends a request and returns the document. Raises the first error of a refused request.
def florin(method, path, body = nil)
  uri = URI(BASE + path)
  request = Net::HTTP.const_get(method.capitalize).new(uri, {
    "Authorization" => "Bearer #{KEY}",
    "User-Agent" => "my-shop/1.0",
    "Content-Type" => "application/vnd.api+json",
  })
  request.body = body.to_json if body
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
  document = response.body.to_s.empty? ? nil : JSON.parse(response.body)
  error = document && document["errors"]&.first
  raise "#{error["code"]}: #{error["detail"]}" if error
  document
end
