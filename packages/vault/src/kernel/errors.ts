import type { VaultErrorCode } from '@florin/contract/protocol/vault.ts';

/** A request that the vault refuses. `detail` names the cause and never repeats a value. */
export class VaultRefusal extends Error {
  override name = 'VaultRefusal';
  readonly code: VaultErrorCode;
  readonly detail: string;

  constructor(code: VaultErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
  }
}

/** Refusal of a malformed request. `detail` names the invalid member. */
export const badRequest = (detail: string, options?: ErrorOptions): VaultRefusal =>
  new VaultRefusal('bad_request', detail, options);

/** Reason why the vault cannot start, in one sentence for the operator. */
export class StartupError extends Error {
  override name = 'StartupError';
}
