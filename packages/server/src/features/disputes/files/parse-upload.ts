import { type ProblemError, problem } from '@florin/contract/errors.ts';
import {
  type DisputeFileType,
  disputeFilePurposes,
  disputeFiles,
} from '@florin/contract/resources/dispute-files.ts';
import { UploadedFile } from '../../../http/uploaded-file.ts';
import { unknownName } from '../../../jsonapi/unknown-name.ts';
import { safeFileName } from './file-name.ts';
import { recogniseFile } from './recognise-file.ts';

const NAME_MAX = disputeFiles.fields.file_name.max;
/** Longest name that is read; longer ones are refused, not cut. */
const SENT_NAME_MAX = 500;
const parameterNames = Object.keys(disputeFiles.contents.query);

/** A parsed upload. */
export interface Upload {
  readonly file_name: string;
  readonly purpose: string;
  readonly content_type: DisputeFileType;
  readonly bytes: Buffer;
}

/** Parses an upload. Throws a `ProblemError` that names the parameter, or what is wrong with the file. */
export function parseUpload(query: string, body: unknown): Upload {
  const parameters = new URLSearchParams(query);
  requireKnown(parameters);
  const sentName = parameters.get('file_name') ?? '';
  const purpose = parsePurpose(parameters.get('purpose'));
  const bytes = body instanceof UploadedFile ? body.read() : Buffer.alloc(0);
  if (bytes.length === 0)
    throw problem('invalid_document', 'The body is empty. Send the bytes of the file as the body.');
  const recognition = recogniseFile(bytes);
  if ('fault' in recognition) throw problem('invalid', recognition.fault);
  const { content_type } = recognition;
  return { file_name: parseName(sentName, content_type), purpose, content_type, bytes };
}

function requireKnown(parameters: URLSearchParams): void {
  for (const name of parameters.keys()) {
    if (!parameterNames.includes(name))
      throw problem(
        'unknown_parameter',
        unknownName('The address', 'parameter', name, parameterNames),
        { parameter: name },
      );
  }
}

function parsePurpose(purpose: string | null): string {
  if ((disputeFilePurposes as readonly (string | null)[]).includes(purpose))
    return purpose as string;
  const accepted = disputeFilePurposes.join(', ');
  throw refusalOf(
    'purpose',
    purpose === null ? 'blank' : 'not_in_list',
    `must be one of ${accepted}`,
  );
}

function parseName(sent: string, content_type: DisputeFileType): string {
  if (sent.length > SENT_NAME_MAX)
    throw refusalOf('file_name', 'too_long', `must have at most ${SENT_NAME_MAX} characters`);
  const name = safeFileName(sent, content_type, NAME_MAX);
  if (name !== '') return name;
  throw refusalOf('file_name', 'blank', 'must be the name of the file, such as receipt.pdf');
}

const refusalOf = (
  parameter: string,
  code: 'blank' | 'not_in_list' | 'too_long',
  predicate: string,
): ProblemError => problem(code, `${parameter} ${predicate}.`, { parameter });
