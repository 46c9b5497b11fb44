import { StartupError } from '../../kernel/errors.ts';

/** The functions of package `pkcs11js` that the vault uses, with the standard's names and return values. */
export interface Pkcs11 {
  load(path: string): void;
  close(): void;
  C_Initialize(): void;
  C_Finalize(): void;
  C_GetSlotList(tokenPresent: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_CloseSession(session: Handle): void;
  C_Login(session: Handle, user: number, pin: string): void;
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, max: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(
    session: Handle,
    key: Handle,
    template: readonly Attribute[],
  ): readonly { readonly value: Buffer }[];
  C_GenerateKey(session: Handle, mechanism: Mechanism, template: readonly Attribute[]): Handle;
  C_GenerateRandom(session: Handle, output: Buffer): Buffer;
  C_DestroyObject(session: Handle, key: Handle): void;
  C_EncryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Encrypt(session: Handle, plaintext: Buffer, output: Buffer): Buffer;
  C_DecryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Decrypt(session: Handle, ciphertext: Buffer, output: Buffer): Buffer;
}

/** Opaque bytes that identify a slot, a session or an object. */
export type Handle = Buffer;

export interface Attribute {
  readonly type: number;
  readonly value?: number | string | boolean | Buffer;
}

export interface Mechanism {
  readonly mechanism: number;
  readonly parameter?: object | null;
}

/** Loads the optional package by name or path, and the HSM's library. Throws `StartupError`. */
export async function loadPkcs11(client: string, module: string): Promise<Pkcs11> {
  const clientModule = (await import(client).catch((cause: unknown) => {
    throw new StartupError(
      `VAULT_KMS is pkcs11, but the package ${client} is not installed. Run npm install pkcs11js, or set VAULT_PKCS11_CLIENT to its path.`,
      { cause },
    );
  })) as { PKCS11?: new () => Pkcs11; default?: { PKCS11: new () => Pkcs11 } };
  const Client = clientModule.PKCS11 ?? clientModule.default?.PKCS11;
  if (!Client) throw new StartupError(`${client} of VAULT_PKCS11_CLIENT is not pkcs11js.`);
  const pkcs11 = new Client();
  try {
    pkcs11.load(module);
    pkcs11.C_Initialize();
  } catch (cause) {
    throw new StartupError(
      `The library ${module} of VAULT_PKCS11_MODULE cannot be used. Correct its path.`,
      { cause },
    );
  }
  return pkcs11;
}
