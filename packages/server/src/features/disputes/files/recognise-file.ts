import {
  type DisputeFileType,
  disputeFileTypes,
} from '@florin/contract/resources/dispute-files.ts';
import { findJpegFault } from './check-jpeg.ts';
import { findPdfFault } from './check-pdf.ts';
import { findPngFault } from './check-png.ts';
import { fileTypes } from './file-types.ts';

interface FileKind {
  /** First bytes, in hexadecimal. */
  readonly signature: string;
  findFault(bytes: Buffer): string | undefined;
}

/** Only the content decides the kind of a file. */
const fileKinds: Readonly<Record<DisputeFileType, FileKind>> = {
  'application/pdf': { signature: '255044462d', findFault: findPdfFault },
  'image/png': { signature: '89504e470d0a1a0a', findFault: findPngFault },
  'image/jpeg': { signature: 'ffd8ff', findFault: findJpegFault },
};

const SIGNATURE_BYTES_MAX = 8;
/** Bytes in which a browser that guesses would look for a page. */
const HEAD_BYTES = 4_096;
const PAGE = /<(?:!doctype|html|head|body|script|svg|iframe)\b/i;

export type Recognition = { readonly content_type: DisputeFileType } | { readonly fault: string };

/** Recognises a file by its content. Otherwise `fault` says why it is refused, in a sentence without its content. */
export function recogniseFile(bytes: Buffer): Recognition {
  const start = bytes.toString('hex', 0, SIGNATURE_BYTES_MAX);
  const content_type = disputeFileTypes.find((type) => start.startsWith(fileKinds[type].signature));
  if (!content_type)
    return { fault: 'The body is neither PDF, PNG nor JPEG. Send the bytes of the file itself.' };
  const { findFault } = fileKinds[content_type];
  const fault = PAGE.test(bytes.toString('latin1', 0, HEAD_BYTES))
    ? 'has a web page or a program in it. Export it again'
    : findFault(bytes);
  return fault === undefined
    ? { content_type }
    : { fault: `The ${fileTypes[content_type].name} ${fault}.` };
}
