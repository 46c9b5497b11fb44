import type { ErrorHelp } from './error-help.ts';

const UNKNOWN_ID = '01935f00-0000-7000-8000-000000000000';

/** Errors of a request's form: its head, its body and the members of its document. */
export const requestErrors = {
  malformed_json: {
    title: 'The body is not JSON',
    cause:
      'The body is not valid JSON, or not UTF-8 text. A common reason is a body that was cut off.',
    fix: 'Build the body with a JSON library. Check that `Content-Length` counts bytes, not characters.',
    example: {
      request: { method: 'POST', path: '/v2/customers', body: '{"data": {"type": "customers"' },
      detail: 'The body is not valid JSON. Check its quotes, commas and brackets.',
    },
  },
  invalid_document: {
    title: 'The body is not a JSON:API document',
    cause:
      'The body is JSON, but not a JSON:API document with one resource object in `data`. A document may have at most 20 levels.',
    fix: 'Send `{"data": {"type": …, "attributes": …}}`. The page of the resource type has a complete example.',
    example: {
      request: { method: 'POST', path: '/v2/customers', body: { email: 'ada@example.com' } },
      detail: 'The document must have the member data with one resource object.',
      source: { pointer: '' },
    },
  },
  invalid_url: {
    title: 'The URL cannot be decoded',
    cause: 'The path or the query contains bytes that are not valid percent-encoded UTF-8.',
    fix: 'Encode values with your HTTP library, such as `encodeURIComponent` or `URLSearchParams` in JavaScript.',
    example: {
      request: { method: 'GET', path: '/v2/customers?filter[name]=%E0%A4' },
      detail: 'The query is not valid percent-encoded UTF-8.',
    },
  },
  malformed_request: {
    title: 'The request is not HTTP',
    cause:
      'The server cannot parse the request. Typical reasons are an invalid header, or HTTPS sent to a port that expects HTTP.',
    fix: 'Check the scheme and the port of the URL. Use an HTTP library instead of writing requests by hand.',
    example: { detail: 'The request cannot be read as HTTP.' },
  },
  missing_user_agent: {
    title: 'The User-Agent header is missing',
    cause:
      'The request has no `User-Agent` header. The operator needs it to tell you about problems of your program.',
    fix: 'Send the name and version of your program, such as `User-Agent: acme-shop/1.4`.',
    example: {
      detail: 'Send a User-Agent header that names your program and its version.',
      source: { header: 'User-Agent' },
    },
  },
  not_acceptable: {
    title: 'Not acceptable',
    cause:
      'The `Accept` header does not allow `application/vnd.api+json`, or allows it only with a parameter that the server does not support.',
    fix: 'Send `Accept: application/vnd.api+json`, or leave the header out.',
    example: {
      request: { method: 'GET', path: '/v2/customers', headers: { accept: 'text/html' } },
      detail:
        'Responses are application/vnd.api+json without parameters. Set the header Accept to that type.',
      source: { header: 'Accept' },
    },
  },
  unsupported_media_type: {
    title: 'Unsupported media type',
    cause:
      'The body has another media type than `application/vnd.api+json`, or a parameter such as `charset`.',
    fix: 'Send `Content-Type: application/vnd.api+json`. Some libraries add `; charset=utf-8`: switch that off.',
    example: {
      request: {
        method: 'POST',
        path: '/v2/customers',
        headers: { 'content-type': 'text/plain' },
        body: { data: { type: 'customers', attributes: { email: 'ada@example.com' } } },
      },
      detail: 'Set the header Content-Type to application/vnd.api+json, without parameters.',
      source: { header: 'Content-Type' },
    },
  },
  body_too_large: {
    title: 'The body is too large',
    cause:
      'The body has more than 256 KiB, or a file has more than 5 MB. `meta.limit` is the limit in bytes.',
    fix: 'Send fewer line items or less metadata. Store large data in your own system, and its id in `metadata`. Compress a file.',
    example: { detail: 'The body must have at most 262144 bytes.', meta: { limit: 262_144 } },
  },
  head_too_large: {
    title: 'The head of the request is too large',
    cause: 'URL and headers together are too long. `meta.limit` is the limit in bytes.',
    fix: 'Shorten the query: filter by fewer values, and split one long query into several. Check for large cookies.',
    example: {
      detail: 'The URL and headers must have at most 65536 bytes together.',
      meta: { limit: 65_536 },
    },
  },
  request_timeout: {
    title: 'The request took too long to arrive',
    cause:
      'The headers did not arrive within 10 seconds, or the body not within 30. The server closes the connection.',
    fix: 'Send the request again, with the same idempotency key. If that fails often, check the network and any proxy between.',
    example: { detail: 'The request took too long to arrive. Send it again.' },
  },
  method_not_allowed: {
    title: 'Method not allowed',
    cause:
      'The URL exists, but does not accept this method. Records are never deleted, so `DELETE` is not accepted anywhere.',
    fix: 'Use a method of the `Allow` header. Records end by an action or an attribute, such as `archived` or `revoke`.',
    example: {
      request: { method: 'DELETE', path: `/v2/customers/${UNKNOWN_ID}` },
      detail: 'This address accepts GET, PATCH, PUT, HEAD, OPTIONS.',
    },
  },
  client_id_forbidden: {
    title: 'The server creates ids',
    cause: 'The document of a new record has an `id`. Florin does not accept ids of clients.',
    fix: 'Leave `data.id` out, and take the id from the response. Store your own number in a reference or in `metadata`.',
    example: {
      request: {
        method: 'POST',
        path: '/v2/customers',
        body: {
          data: { type: 'customers', id: UNKNOWN_ID, attributes: { email: 'ada@example.com' } },
        },
      },
      detail: 'Florin creates ids. Leave the id out.',
      source: { pointer: '/data/id' },
    },
  },
  id_conflict: {
    title: 'The id does not match the URL',
    cause: 'The `id` in the document differs from the id in the URL.',
    fix: 'Send the id of the URL as `data.id`. Check that your program does not mix two records.',
    example: {
      request: {
        method: 'PATCH',
        path: `/v2/customers/${UNKNOWN_ID}`,
        body: {
          data: {
            type: 'customers',
            id: '01935f00-0000-7000-8000-000000000001',
            attributes: { name: 'Ada Lovelace' },
          },
        },
      },
      detail: 'The id in the document differs from the id in the URL. Send the id of the URL.',
      source: { pointer: '/data/id' },
    },
  },
  type_conflict: {
    title: 'The type does not match',
    cause:
      'The `type` in the document is not the type of the URL, or a relationship names a record of another type.',
    fix: 'Use the type that `detail` names. Types are plural and lower case, such as `payment_demands`.',
    example: {
      request: {
        method: 'POST',
        path: '/v2/customers',
        body: { data: { type: 'customer', attributes: { email: 'ada@example.com' } } },
      },
      detail:
        'This address has no type `customer`; the nearest is `customers`. Accepted: customers.',
      source: { pointer: '/data/type' },
    },
  },
  idempotency_conflict: {
    title: 'The idempotency key belongs to another request',
    cause:
      'An earlier request with this `Idempotency-Key` had other content. The new request had no effect.',
    fix: 'Use a new key for each new operation. Use the old key only to repeat exactly the same request.',
    example: {
      detail: 'The idempotency key was used for another request. Use a new key.',
      source: { header: 'Idempotency-Key' },
    },
  },
  stale_record: {
    title: 'The record has changed',
    cause:
      'The `If-Match` header names an older version of the record. Another request changed the record in between.',
    fix: 'Fetch the record again. Decide whether the change still applies, then repeat it with the new `ETag`.',
    example: {
      detail: 'The record has changed since you read it. Read it again and send the new ETag.',
      source: { header: 'If-Match' },
    },
  },
  invalid_value: {
    title: 'The value has the wrong format',
    cause:
      'A query parameter or a header is known, but its value cannot be read, such as a word where a number is expected.',
    fix: 'Correct the parameter or header that `source` names. `detail` says which format is accepted.',
    example: {
      request: { method: 'GET', path: '/v2/customers?page[size]=ten' },
      detail: 'page[size] must be an integer from 1 to 2147483647.',
      source: { parameter: 'page[size]' },
    },
  },
} as const satisfies Record<string, ErrorHelp>;
