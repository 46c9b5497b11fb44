import { AuditError } from '../audit/audit.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';

/** A command that failed. */
interface CommandFailure {
  readonly error: unknown;
  readonly path: string;
  /** The audit has an entry that the command was requested. Only then may it have taken effect. */
  readonly isAnnounced: boolean;
  readonly log: Log;
}

/** Sentences for the operator, with the next step. Failures of the vault are logged too. */
export function failureText({ error, path, isAnnounced, log }: CommandFailure): string {
  if (error instanceof VaultRefusal) return error.detail;
  if (!(error instanceof AuditError)) {
    const fault = faultOf(error);
    log({ event: 'request_failed', path, fault });
    const cause = FULL_DISK.has(fault)
      ? `The disk of the vault's keys is full (${fault}). Free some space, then repeat the command.`
      : `The vault failed (${fault}): see its log.`;
    return `${cause} ${isAnnounced ? REPEAT : ''}`.trim();
  }
  log({ event: 'request_failed', path, fault: error.fault });
  const { fault } = error;
  return isAnnounced
    ? `The command may have taken effect, but its outcome is not in the audit yet (${fault}). The vault writes it as soon as the database takes it. ${REPEAT}`
    : `The audit entry cannot be written (${fault}), so the command did nothing. See the vault's log for audit_not_written, mend the database, and repeat the command.`;
}

/** Codes of a file system without space, or without space for this user. */
const FULL_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const REPEAT = 'Repeating the command continues it.';
