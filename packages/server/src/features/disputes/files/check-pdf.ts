/** Readers search the end of a file for its trailer. */
const TRAILER_BYTES = 1_024;
const VERSION = /^%PDF-(?:1\.[0-7]|2\.0)\s/;
const TRAILER = /startxref\s+\d+\s+%%EOF\s*$/;
const PASSWORD = /\/Encrypt\s*(?:\d|<<)/;
/** `JS` needs its value, a text or a reference: compressed images have its three bytes by chance. */
const ACTIVE =
  /\/(?:(?:JavaScript|Launch|EmbeddedFile|RichMedia)\b|JS\s*(?:\(|<|\d{1,9}\s+\d{1,5}\s+R\b))/;

/**
 * Finds a fault of a PDF; undefined if it begins and ends as one. Banks cannot open files with passwords, and files
 * with programs could harm the bank that opens them.
 */
export function findPdfFault(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  if (!VERSION.test(text)) return 'has no valid header';
  if (!TRAILER.test(text.slice(-TRAILER_BYTES))) return 'is cut off, or has data after its end';
  if (PASSWORD.test(text)) return 'needs a password. Save it without one';
  if (ACTIVE.test(text)) return 'has programs or attachments. Print it to a new PDF';
  return undefined;
}
