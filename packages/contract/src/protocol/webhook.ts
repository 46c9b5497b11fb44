/**
 * Signature headers of a webhook message: two schemes over the same body. The caller computes the
 * HMAC (SHA-256), so that this code runs on any platform.
 */

/**
 * Signs `<t>.<body>`. The key is the UTF-8 text of the subscription's `secret_key`, not decoded.
 */
export const edgeSignature = {
  header: 'edge-signature',
  signedText: (t: number, body: string): string => `${t}.${body}`,
  /** `t`: Unix time of this delivery attempt in seconds. `hex`: HMAC in lower-case hex. */
  format: (t: number, hex: string): string => `t=${t},v3=${hex}`,
} as const;

/**
 * Standard Webhooks 1.0. Signs `<id>.<t>.<body>`. The key is `secret_key`, decoded from base64.
 * Receivers pass `secret_key` to their library unchanged or with the prefix `whsec_`.
 */
export const standardSignature = {
  idHeader: 'webhook-id',
  timestampHeader: 'webhook-timestamp',
  header: 'webhook-signature',
  signedText: (id: string, t: number, body: string): string => `${id}.${t}.${body}`,
  /** `base64`: HMAC in padded base64. */
  format: (base64: string): string => `v1,${base64}`,
} as const;

/** Id of the event. The same on every delivery attempt, so that receivers can drop repeats. */
export const EVENT_ID_HEADER = 'edge-event-id';

/** The event of a delivery, as a JSON:API resource object. */
export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

/**
 * Body of a webhook message. `data` comes last, with a space after each colon and comma, as
 * PostgreSQL prints JSON.
 * A receiver that parses and serialises the body gets another text, and its signature check fails.
 * Throws if the event is not a resource object.
 */
export function deliveryBodyOf({ id, type, attributes, relationships }: DeliveredEvent): string {
  const { data, ...others } = attributes;
  const head = JSON.stringify({ id, type, attributes: others }).slice(0, -'}}'.length);
  return `{"data":${head},"data":${spacedJson(data)}},"relationships":${JSON.stringify(relationships)}}}`;
}

function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${spacedJson(member)}`,
  );
  return `{${members.join(', ')}}`;
}
