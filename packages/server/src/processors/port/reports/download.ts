import { resultWithoutResponse, type WireAnswer } from '../message.ts';
import { unknownResult } from '../read-answer.ts';
import type { DownloadResult } from './reports.ts';

/** Milliseconds for a file. A large one takes longer than an answer. */
export const DOWNLOAD_MS = 60_000;

/** Members of a message that downloads a file through the vault. */
export const downloadRequest = {
  method: 'GET',
  headers: {},
  answer_codec: 'text',
  large_answer: true,
  timeout_ms: DOWNLOAD_MS,
} as const;

/** The text of a downloaded file. A refusal says with which status the processor refused. */
export function mapDownload(answer: WireAnswer): DownloadResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const { status, body } = answer;
  if (status === 200 && typeof body === 'string') return { result: 'file', text: body };
  if (status === 200) return { result: 'refused', why: 'The file is empty.' };
  const why = `The processor answered ${status}.`;
  return status >= 400 && status < 500 && status !== 429
    ? { result: 'refused', why }
    : unknownResult(why);
}
