export BASE=http://localhost:4000   # your Florin
export KEY=ept_sandbox_s…           # a secret key; `npm start` prints one
florin=(-sSg --fail-with-body -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0'
  -H 'Content-Type: application/vnd.api+json')
# id shows a response, and returns the id of its record.
id() {
  response=$(cat); echo "$response" >&2
  echo "$response" | grep -v '"errors":' | grep -oE '"id":"[^"]+"' | head -1 | cut -d'"' -f4
}
