/**
 * The signature headers of a webhook delivery, as text: two schemes over the same body. The HMAC
 * itself (SHA-256) is the caller's, so that this runs anywhere.
 */

/** Signs `<t>.<body>`; the key is the UTF-8 text of the subscription's `secret_key`, not decoded. */
export const edgeSignature = {
  header: 'edge-signature',
  signedText: (t: number, body: string): string => `${t}.${body}`,
  /** `t` is the Unix time of this attempt in seconds, `hex` the HMAC in lower-case hex. */
  format: (t: number, hex: string): string => `t=${t},v3=${hex}`,
} as const;

/**
 * Standard Webhooks 1.0. Signs `<id>.<t>.<body>`; the key is the `secret_key` decoded from base64,
 * so a receiver hands the `secret_key` to its library as it is (or behind `whsec_`).
 */
export const standardSignature = {
  idHeader: 'webhook-id',
  timestampHeader: 'webhook-timestamp',
  header: 'webhook-signature',
  signedText: (id: string, t: number, body: string): string => `${id}.${t}.${body}`,
  /** `base64` is the HMAC in padded base64. */
  format: (base64: string): string => `v1,${base64}`,
} as const;

/** Carries the id of the event, the same on every attempt: receivers drop what they have seen. */
export const EVENT_ID_HEADER = 'edge-event-id';

/** The event of a delivery, as a JSON:API resource object. */
export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

/**
 * The body of a delivery, made of an event that was parsed: `data` is the last attribute, and has a space behind each
 * colon and comma, as the database prints it. So a receiver that writes anew what it has parsed makes another text, of
 * which the signature is wrong. Throws where the event is no such object.
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
