import { type JsonMembers, textOf } from '../../stand-in/members.ts';
import { isDocumentType } from './defence-reasons.ts';

const MEGABYTE = 1024 * 1024;
/** Largest document of each media type, in bytes. */
const bytesMaxByType: Readonly<Record<string, number>> = {
  'application/pdf': 2 * MEGABYTE,
  'image/jpeg': 10 * MEGABYTE,
  'image/jpg': 10 * MEGABYTE,
  'image/tiff': 10 * MEGABYTE,
};
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Evidence with this text loses a dispute, as on the simulated network. */
const LOSING_EVIDENCE = 'losing_evidence';

/** A document of a defence. */
export interface DefenceDocument {
  readonly type: string;
  readonly isLosing: boolean;
}

/** Parses a document of a defence, or returns a text that says what is wrong. */
export function parseDefenceDocument(members: JsonMembers): DefenceDocument | string {
  const { defenseDocumentTypeCode: type, contentType, content } = members;
  if (!isDocumentType(type)) return 'Invalid defense document type';
  const bytesMax = bytesMaxByType[textOf(contentType) ?? ''];
  if (bytesMax === undefined) return 'Invalid content type';
  const text = textOf(content) ?? '';
  if (!BASE64.test(text)) return 'Invalid content';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > bytesMax) return 'The file is too large';
  return { type, isLosing: bytes.includes(LOSING_EVIDENCE) };
}
