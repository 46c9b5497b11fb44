import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from '@florin/contract/document-logo.ts';
import { recogniseFile } from '../../disputes/files/recognise-file.ts';
import { type ImageSize, jpegSize, pngHeader } from './image-size.ts';

export type LogoType = 'image/png' | 'image/jpeg';

export type LogoCheck = { readonly content_type: LogoType } | { readonly fault: string };

const inflateText = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** Checks the bytes of a logo. `fault` says what to change, in a sentence without its content. */
export async function checkLogo(bytes: Buffer): Promise<LogoCheck> {
  if (bytes.length > LOGO_BYTES_MAX)
    return { fault: `The logo must have at most ${LOGO_BYTES_MAX} bytes. Save it smaller.` };
  const recognition = recogniseFile(bytes);
  if ('fault' in recognition) return { fault: recognition.fault.replace('PDF, PNG', 'PNG') };
  const { content_type } = recognition;
  if (content_type === 'application/pdf') return { fault: NEITHER };
  const size = content_type === 'image/png' ? pngHeader(bytes) : jpegSize(bytes);
  if (!size || isTooLarge(size)) return { fault: TOO_LARGE };
  const fault = content_type === 'image/png' ? await findPixelFault(bytes) : undefined;
  return fault ? { fault } : { content_type };
}

const NEITHER = 'The logo is neither PNG nor JPEG. Save it as PNG.';
const TOO_LARGE = `The logo must have at most ${LOGO_SIDE_MAX} × ${LOGO_SIDE_MAX} pixels. Save it smaller.`;

const isTooLarge = ({ width, height }: ImageSize): boolean =>
  width < 1 || height < 1 || width > LOGO_SIDE_MAX || height > LOGO_SIDE_MAX;

/** Inflates the pixels, up to the size that the header promises: a small file could hold gigabytes. */
async function findPixelFault(bytes: Buffer): Promise<string | undefined> {
  const { row_bytes, height, interlaced, data } = pngHeader(bytes);
  if (interlaced) return 'The PNG is interlaced. Save it without interlacing.';
  if (row_bytes === undefined) return 'The PNG has an unknown kind of pixels. Save it again.';
  const expected = height * (1 + row_bytes);
  try {
    const pixels = await inflateText(data, { maxOutputLength: expected });
    return pixels.length === expected ? undefined : DAMAGED;
  } catch {
    return DAMAGED;
  }
}

const DAMAGED = 'The PNG is damaged. Save it again.';
