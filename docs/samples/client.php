const BASE = 'http://localhost:4000';

/** Sends a request and returns the document. Throws the first error of a refused request. */
function florin(string $method, string $path, ?array $body = null): ?array
{
    $base = getenv('BASE') ?: BASE;
    $text = file_get_contents($base . $path, false, stream_context_create(['http' => [
        'method' => $method,
        'header' => [
            'Authorization: Bearer ' . getenv('KEY'), // a secret key
            'User-Agent: my-shop/1.0',
            'Content-Type: application/vnd.api+json',
        ],
        'content' => $body === null ? '' : json_encode($body),
        'ignore_errors' => true,
    ]]));
    $document = $text === '' ? null : json_decode($text, true);
    if (isset($document['errors'])) {
        throw new Exception("{$document['errors'][0]['code']}: {$document['errors'][0]['detail']}");
    }
    return $document;
}
