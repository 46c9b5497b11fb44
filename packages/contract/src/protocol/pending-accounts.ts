/** Condition on `account`, a row of the vault's accounts: an operator refused what the server has stored of it. */
export const IS_REFUSED = `exists (
  select from vault.refused_accounts refused
  where refused.account_id = account.account_id and refused.mode = account.mode
    and refused.origins = account.origins and refused.egress is not distinct from account.egress
    and refused.merchant_id is not distinct from account.merchant_id
    and refused.secrets = (
      select coalesce(jsonb_object_agg(name, extract(epoch from stored_at)), '{}') from vault.processor_secrets secret
      where secret.account_id = account.account_id and secret.mode = account.mode))`;

/**
 * SQL for the vault's database: accounts of which the server stored addresses, merchant, rules or secrets that no
 * operator has accepted or refused. Candidates, whose secrets are only checked, do not count. Columns: `account_id` and `mode` of at
 * most $1 accounts, and `count`, the number of all.
 */
export const PENDING_ACCOUNTS_QUERY = `
  select account_id, mode, count(*) over ()::integer as count from vault.processor_accounts account
  left join vault.accepted_accounts accepted using (account_id, mode)
  where account_id not like '%-candidate' and (
    accepted.origins is distinct from account.origins
    or accepted.merchant_id is distinct from account.merchant_id
    or (accepted.egress is null) is distinct from (account.egress is null)
    or exists (
      select from jsonb_array_elements(account.egress) rule
      where rule not in (select jsonb_array_elements(accepted.egress)))
    or exists (
      select from vault.processor_secrets secret
      where secret.account_id = account.account_id and secret.mode = account.mode and not exists (
        select from vault.accepted_secrets known
        where known.account_id = secret.account_id and known.mode = secret.mode and known.name = secret.name
          and known.stored_at = secret.stored_at)))
    and not ${IS_REFUSED}
  order by mode, account_id limit $1`;

/** A row of `PENDING_ACCOUNTS_QUERY`. */
export interface PendingAccount {
  readonly account_id: string;
  readonly mode: string;
  /** Number of all accounts that wait. */
  readonly count: number;
}
