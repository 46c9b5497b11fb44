import { crc32, deflateSync } from 'node:zlib';
import type { Answer, Client, ResourceObject } from './client.ts';
import { eventually, makeDispute } from './make.ts';

/** A PDF of one empty page. */
export const pdfBytes = (more = ''): Buffer =>
  Buffer.from(`%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R ${more}>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]>> endobj
trailer <</Root 1 0 R>>
startxref
0
%%EOF
`);

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG of one grey pixel. `text` goes into a chunk of its own. */
export function pngBytes({ width = 1, text = '' } = {}): Buffer {
  const header = Buffer.from('00000000000000010800000000', 'hex');
  header.writeUInt32BE(width);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(text ? [pngChunk('tEXt', Buffer.from(`Comment\0${text}`))] : []),
    pngChunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const SAMPLES: Readonly<Record<number, number>> = { 2: 3, 4: 2, 6: 4 };

type PngShape = Partial<Record<'width' | 'height' | 'color' | 'interlace' | 'rows', number>>;

/** A PNG of grey pixels with 8 bits each. `rows` are the ones that it has; `color` is the colour type. */
export function pngOf({ width = 1, height = 1, color = 0, interlace = 0, rows }: PngShape): Buffer {
  const header = Buffer.from('00000000000000000800000000', 'hex');
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[9] = color;
  header[12] = interlace;
  const row = Buffer.alloc(1 + width * (SAMPLES[color] ?? 1), 128).fill(0, 0, 1);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(row.length * (rows ?? height), row))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Segments of a JPEG of one pixel; its image data are not decodable, which nobody checks. */
export const jpegBytes = (frame = 'ffc0000b080001000101011100'): Buffer =>
  Buffer.from(`ffd8ffe000104a46494600010100000100010000${frame}ffda0008010100003f00aaffd9`, 'hex');

/** Uploads a file to a dispute. */
export const uploadTo = (
  client: Client,
  { id }: Pick<ResourceObject, 'id'>,
  bytes: Buffer = pdfBytes(),
  { query = 'purpose=receipt&file_name=receipt.pdf', headers = {} } = {},
): Promise<Answer> =>
  client.send('POST', `/v2/disputes/${id}/files?${query}`, new Uint8Array(bytes), headers);

/** Submits or accepts a dispute. */
export const answerWith = (
  client: Client,
  { id }: Pick<ResourceObject, 'id'>,
  action: 'submit' | 'accept',
): Promise<Answer> => client.send('PATCH', `/v2/disputes/${id}/${action}`);

/** Waits until a dispute has a status. */
export const waitForStatus = (
  client: Client,
  { id }: Pick<ResourceObject, 'id'>,
  status: string,
): Promise<ResourceObject> =>
  eventually(
    () => client.fetch('disputes', id),
    ({ attributes }) => attributes.status === status,
  );

/** Creates a dispute with a file; returns the file. */
export const makeDisputeFile = async (client: Client): Promise<ResourceObject> =>
  (await uploadTo(client, await makeDispute(client))).body.data;
