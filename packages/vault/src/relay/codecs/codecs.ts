import type { AnswerCodec, RelayCodec } from '@florin/contract/protocol/vault.ts';
import { readForm, writeForm } from './form.ts';
import { writeMultipart } from './multipart.ts';
import { readXml } from './read-xml.ts';
import { writeXml } from './write-xml.ts';

/** Bytes of a request, with its content type unless the message sets another. */
interface WrittenBody {
  readonly contentType: string;
  readonly bytes: string | Buffer;
}

/** Throws `body_unusable` that names the position. */
type BodyWriter = (body: unknown) => WrittenBody;

const writerOf =
  (contentType: string, write: (body: unknown) => string): BodyWriter =>
  (body) => ({ contentType, bytes: write(body) });

const FORM_TYPE = 'application/x-www-form-urlencoded';

export const bodyWriters: Readonly<Record<RelayCodec, BodyWriter>> = {
  json: writerOf('application/json', (body) => JSON.stringify(body)),
  form_brackets: writerOf(FORM_TYPE, (body) => writeForm(body, 'brackets')),
  form_dots: writerOf(FORM_TYPE, (body) => writeForm(body, 'dots')),
  xml: writerOf('application/xml', writeXml),
  multipart: writeMultipart,
};

/** Readers of responses as JSON values. All throw for an unreadable response. */
export const answerReaders: Readonly<Record<AnswerCodec, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  form: readForm,
  xml: readXml,
  text: (text) => text,
};
