/** A second factor that the server asks for after a correct password. */
export type Factor = 'totp' | 'passkey' | 'recovery_code';

/** The name and password that a person chooses behind an emailed link. */
export interface Chosen {
  readonly name?: string;
  readonly password?: string;
}
