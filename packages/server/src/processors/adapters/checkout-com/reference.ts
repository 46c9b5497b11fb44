const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Our id as Checkout.com's `reference`: the 16 bytes of a UUID in 22 characters of base64url, since American Express
 * takes at most 30 characters. Other texts stay as they are.
 */
export const shortReference = (id: string): string =>
  UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') : id;

const SHORT = /^[\w-]{22}$/;

/** Whether a text has the form of our short references. */
export const isShortReference = (reference: string): boolean => SHORT.test(reference);

/** Our id of a reference. Texts that are no short reference stay as they are. */
export function idOfReference(reference: string): string {
  if (!SHORT.test(reference)) return reference;
  const hex = Buffer.from(reference, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
