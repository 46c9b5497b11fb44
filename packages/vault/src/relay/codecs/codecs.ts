import type { AnswerCodec, RelayCodec } from '@florin/contract/protocol/vault.ts';
import { readForm, writeForm } from './form.ts';
import { readXml } from './read-xml.ts';
import { writeXml } from './write-xml.ts';

interface BodyWriter {
  /** Content type of the request, unless the message sets another. */
  readonly contentType: string;
  /** Throws `body_unusable` that names the position. */
  write(body: unknown): string;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

export const bodyWriters: Readonly<Record<RelayCodec, BodyWriter>> = {
  json: { contentType: 'application/json', write: (body) => JSON.stringify(body) },
  form_brackets: { contentType: FORM_TYPE, write: (body) => writeForm(body, 'brackets') },
  form_dots: { contentType: FORM_TYPE, write: (body) => writeForm(body, 'dots') },
  xml: { contentType: 'application/xml', write: writeXml },
};

/** Readers of responses as JSON values. All throw for an unreadable response. */
export const answerReaders: Readonly<Record<AnswerCodec, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  form: readForm,
  xml: readXml,
  text: (text) => text,
};
