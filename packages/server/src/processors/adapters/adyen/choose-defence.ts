import type { DisputeFilePurpose } from '@florin/contract/resources/dispute-files.ts';
import type { EvidenceFile } from '../../port/disputes.ts';
import { isIdOrCode, itemsOf, type Members, membersOf, textOf } from '../../port/read-answer.ts';

/** A defence reason of Adyen, and the document type of each file by its id. */
export interface Defence {
  readonly code: string;
  readonly types: Readonly<Record<string, string>>;
}

/** Document types that fit a purpose, best first. All other files are general material. */
const typesByPurpose: Readonly<Partial<Record<DisputeFilePurpose, readonly string[]>>> = {
  receipt: ['TIDorInvoice'],
  shipping_documentation: ['GoodsNotReceived'],
  recurring_agreement: ['CancellationNeverAccepted'],
};
const GENERAL = 'DefenseMaterial';

interface DocumentType {
  readonly code: string;
  readonly level: string;
}

/** Chooses the first reason whose document types take all files, one each. Undefined if there is none. */
export function chooseDefence(answer: object, files: readonly EvidenceFile[]): Defence | undefined {
  for (const reason of itemsOf(membersOf(answer).defenseReasons)) {
    const code = textOf(reason.defenseReasonCode);
    const documents = documentsOf(reason);
    const types = code !== undefined && assignTypes(documents, files);
    if (types && isComplete(documents, Object.values(types))) return { code, types };
  }
  return undefined;
}

const documentsOf = ({ defenseDocumentTypes }: Members): DocumentType[] =>
  itemsOf(defenseDocumentTypes).flatMap(({ defenseDocumentTypeCode, requirementLevel }) => {
    const code = textOf(defenseDocumentTypeCode);
    return code === undefined ? [] : [{ code, level: String(requirementLevel) }];
  });

function assignTypes(
  documents: readonly DocumentType[],
  files: readonly EvidenceFile[],
): Record<string, string> | undefined {
  const free = new Set(documents.map(({ code }) => code));
  const types: Record<string, string> = {};
  for (const { id, purpose } of files) {
    const type = [...(typesByPurpose[purpose] ?? []), GENERAL].find((code) => free.has(code));
    if (type === undefined) return undefined;
    free.delete(type);
    types[id] = type;
  }
  return types;
}

/** Whether all required types are there, and one of those of which Adyen wants at least one. */
function isComplete(documents: readonly DocumentType[], given: readonly string[]): boolean {
  const codesOf = (wanted: string) =>
    documents.filter(({ level }) => level === wanted).map(({ code }) => code);
  const choices = codesOf('OneOrMore');
  return (
    codesOf('Required').every((code) => given.includes(code)) &&
    (choices.length === 0 || choices.some((code) => given.includes(code)))
  );
}

/** Text of a defence: the code, then pairs of file and type. */
export const writeDefence = ({ code, types }: Defence): string =>
  [code, ...Object.entries(types).flat()].join(' ');

export function parseDefence(text: string | undefined): Defence | undefined {
  const [code, ...pairs] = text?.split(' ') ?? [];
  if (!isIdOrCode(code)) return undefined;
  const types = Object.fromEntries(
    pairs.flatMap((id, at) => (at % 2 === 0 ? [[id, pairs[at + 1] ?? '']] : [])),
  );
  return { code, types };
}
