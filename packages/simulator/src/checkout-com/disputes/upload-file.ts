import { notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import { isJsonObject, membersOf } from '../../stand-in/members.ts';
import type { FormFile } from '../../stand-in/read-form.ts';
import { invalid, malformed } from '../answer.ts';
import { type CheckoutCall, type CheckoutServices, channelsOf } from '../call.ts';
import { createId } from '../ids.ts';
import { timeText } from '../render-payment.ts';

const PURPOSE = 'dispute_evidence';
const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** First bytes of JPEG, PNG and PDF files, in hexadecimal. */
const SIGNATURES: readonly string[] = ['ffd8ff', '89504e470d0a1a0a', '255044462d'];

/** `POST /files`: a multipart body with `file` and `purpose`. */
export function uploadFile(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const { file, purpose } = membersOf(call.body);
  if (!isFormFile(file)) return isJsonObject(call.body) ? invalid(['file_required']) : malformed;
  if (purpose !== PURPOSE) return invalid(['purpose_invalid']);
  if (file.content.length > FILE_BYTES_MAX) return invalid(['file_size_exceeded']);
  const start = file.content.subarray(0, 8).toString('hex');
  if (!SIGNATURES.some((signature) => start.startsWith(signature)))
    return invalid(['file_type_invalid']);
  const id = createId('file');
  services.books.files.insert({
    id,
    channel: call.account.name,
    name: file.name,
    bytes: file.content.length,
    uploadedAt: services.now(),
  });
  return { status: 200, body: { id, _links: linksOf(id, call.base) } };
}

const isFormFile = (value: unknown): value is FormFile =>
  isJsonObject(value) && Buffer.isBuffer(value.content);

/** `GET /files/{id}`. */
export function getFile({ books }: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const file = books.files.find(call.parts[0] ?? '');
  if (!file || !channelsOf(call).includes(file.channel)) return notFound;
  const { id, name, bytes, uploadedAt } = file;
  const body = {
    id,
    filename: name,
    purpose: PURPOSE,
    size: bytes,
    uploaded_on: timeText(uploadedAt),
    _links: linksOf(id, call.base),
  };
  return { status: 200, body };
}

const linksOf = (id: string, base: string) => ({ self: { href: `${base}/files/${id}` } });
