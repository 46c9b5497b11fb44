import type { VaultAdminLine } from '@florin/contract/protocol/vault-admin.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { Input } from './input.ts';

export const ACTOR = 'operator';

/** Stores that a command was requested, before it takes effect. Rejects with `AuditError`: then it must not. */
export type Announce = (
  entry: Omit<AuditEntry, 'actor' | 'outcome'>,
  subject?: string,
) => Promise<void>;

/** Sends a sentence, with the head of an export or a page of cards. */
type ReportWithHead = (sentence: string, more?: Omit<VaultAdminLine, 'text' | 'ok'>) => void;

/** A command. Each that changes something stores an audit entry first. */
export type Command = (input: Input, report: ReportWithHead, announce: Announce) => Promise<void>;
