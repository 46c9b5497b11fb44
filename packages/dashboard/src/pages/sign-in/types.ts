/** A second factor that the server requires after a correct password. */
export type Factor = 'totp' | 'passkey' | 'recovery_code';

/** Name and password, entered on the page of an emailed link. */
export interface NameAndPassword {
  readonly name?: string;
  readonly password?: string;
}
