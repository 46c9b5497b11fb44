/** A person whom the filter of the audit log offers. */
export interface AuditPerson {
  /** Id of the account. */
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  /** False for a former member. */
  readonly is_member: boolean;
}
