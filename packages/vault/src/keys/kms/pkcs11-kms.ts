import { StartupError } from '../../kernel/errors.ts';
import { aadOf, IV_BYTES, KEY_BYTES, TAG_BYTES } from '../aead.ts';
import type { Kms } from './kms.ts';
import {
  type Attribute,
  type Handle,
  loadPkcs11,
  type Mechanism,
  type Pkcs11,
} from './pkcs11-client.ts';

export interface Pkcs11Config {
  readonly provider: 'pkcs11';
  /** Package or path of pkcs11js. */
  readonly client: string;
  /** Path of the HSM's PKCS#11 library. */
  readonly module: string;
  /** Label of the HSM's token. */
  readonly token: string;
  readonly pin: string;
}

/** Constants of the PKCS#11 standard, version 2.40. */
/** Session flags CKF_SERIAL_SESSION and CKF_RW_SESSION. */
const SESSION_FLAGS = 4 + 2;
const CKU_USER = 1;
const CKO_SECRET_KEY = 4;
const CKK_AES = 0x1f;
const CKM_AES_KEY_GEN = 0x1080;
const CKM_AES_GCM = 0x1087;
/** pkcs11js's constant for the AES-GCM parameters of version 2.40. */
const CK_PARAMS_AES_GCM_V240 = 7;
const CKA_CLASS = 0;
const CKA_TOKEN = 1;
const CKA_PRIVATE = 2;
const CKA_LABEL = 3;
const CKA_KEY_TYPE = 0x100;
const CKA_SENSITIVE = 0x103;
const CKA_ENCRYPT = 0x104;
const CKA_DECRYPT = 0x105;
const CKA_VALUE_LEN = 0x161;
const CKA_EXTRACTABLE = 0x162;

const LABEL = /^florin-root-(\d+)$/;
/** Far more versions than ever exist. */
const VERSIONS_MAX = 1_000;
const BITS_PER_BYTE = 8;

const labelOf = (version: number): string => `florin-root-${version}`;

/** Root keys that are created in an HSM and cannot leave it. Wraps with AES-256-GCM inside the HSM. */
export async function openPkcs11Kms(config: Pkcs11Config): Promise<Kms> {
  const pkcs11 = await loadPkcs11(config.client, config.module);
  try {
    const slot = findSlot(pkcs11, config);
    return createKms(config, new Token(pkcs11, slot, logIn(pkcs11, slot, config)));
  } catch (error) {
    pkcs11.C_Finalize();
    pkcs11.close();
    throw error;
  }
}

function createKms(config: Pkcs11Config, token: Token): Kms {
  async function wrap(version: number, key: Buffer, context: string): Promise<Buffer> {
    const iv = token.generateRandom(IV_BYTES);
    return Buffer.concat([iv, token.encrypt(version, gcmMechanism(iv, context), key)]);
  }
  return {
    wrap,
    nameOf: (version) => `${labelOf(version)} in the token ${config.token}`,
    unwrap: async (version, wrapped, context) =>
      token.decrypt(
        version,
        gcmMechanism(wrapped.subarray(0, IV_BYTES), context),
        wrapped.subarray(IV_BYTES),
      ),
    async generate(version, context) {
      const key = token.generateRandom(KEY_BYTES);
      return { key, wrapped: await wrap(version, key, context) };
    },
    fingerprintOf: async () => undefined,
    describe: async () => ({ provider: 'pkcs11', versions: token.listVersions() }),
    createVersion: async (version) => token.create(version),
    destroyVersion: async (version) => token.destroy(version),
    [Symbol.asyncDispose]: async () => token.close(),
  };
}

/** An HSM's token, logged in. */
class Token {
  readonly #pkcs11: Pkcs11;
  readonly #slot: Handle;
  /** Session that keeps the login open. */
  readonly #loginSession: Handle;

  constructor(pkcs11: Pkcs11, slot: Handle, loginSession: Handle) {
    this.#pkcs11 = pkcs11;
    this.#slot = slot;
    this.#loginSession = loginSession;
  }

  generateRandom(bytes: number): Buffer {
    return this.#pkcs11.C_GenerateRandom(this.#loginSession, Buffer.alloc(bytes));
  }

  encrypt(version: number, mechanism: Mechanism, plaintext: Buffer): Buffer {
    return this.#inSession((session) => {
      this.#pkcs11.C_EncryptInit(session, mechanism, this.#findKey(session, version));
      return this.#pkcs11.C_Encrypt(session, plaintext, Buffer.alloc(plaintext.length + TAG_BYTES));
    });
  }

  decrypt(version: number, mechanism: Mechanism, ciphertext: Buffer): Buffer {
    if (ciphertext.length < TAG_BYTES) throw new Error('The wrapped key is cut short.');
    return this.#inSession((session) => {
      this.#pkcs11.C_DecryptInit(session, mechanism, this.#findKey(session, version));
      return Buffer.from(
        this.#pkcs11.C_Decrypt(session, ciphertext, Buffer.alloc(ciphertext.length)),
      );
    });
  }

  listVersions(): number[] {
    const keys = this.#inSession((session) =>
      this.#find(session, []).map((key) => versionOf(this.#pkcs11, session, key)),
    );
    return keys.filter((version) => version > 0).sort((a, b) => a - b);
  }

  create(version: number): void {
    this.#inSession((session) => {
      if (this.#find(session, labelAttributes(version)).length > 0) return;
      this.#pkcs11.C_GenerateKey(session, { mechanism: CKM_AES_KEY_GEN }, templateOf(version));
    });
  }

  destroy(version: number): void {
    this.#inSession((session) => {
      for (const key of this.#find(session, labelAttributes(version))) {
        this.#pkcs11.C_DestroyObject(session, key);
      }
    });
  }

  close(): void {
    this.#pkcs11.C_CloseSession(this.#loginSession);
    this.#pkcs11.C_Finalize();
    this.#pkcs11.close();
  }

  /** Runs an operation in its own session, because a failed operation may stay open in its session. */
  #inSession<T>(useSession: (session: Handle) => T): T {
    const session = this.#pkcs11.C_OpenSession(this.#slot, SESSION_FLAGS);
    try {
      return useSession(session);
    } finally {
      this.#pkcs11.C_CloseSession(session);
    }
  }

  #findKey(session: Handle, version: number): Handle {
    const [key] = this.#find(session, labelAttributes(version));
    if (!key) throw new Error(`There is no version ${version} of the root key.`);
    return key;
  }

  #find(session: Handle, attributes: readonly Attribute[]): Handle[] {
    const template = [{ type: CKA_CLASS, value: CKO_SECRET_KEY }, ...attributes];
    this.#pkcs11.C_FindObjectsInit(session, template);
    const handles = this.#pkcs11.C_FindObjects(session, VERSIONS_MAX);
    this.#pkcs11.C_FindObjectsFinal(session);
    return handles;
  }
}

const labelAttributes = (version: number): Attribute[] => [
  { type: CKA_LABEL, value: labelOf(version) },
];

function findSlot(pkcs11: Pkcs11, { token }: Pkcs11Config): Handle {
  const slot = pkcs11
    .C_GetSlotList(true)
    .find((handle) => pkcs11.C_GetTokenInfo(handle).label.trim() === token);
  if (slot) return slot;
  throw new StartupError(
    `The HSM has no token labelled "${token}". Correct VAULT_PKCS11_TOKEN, or initialise the token.`,
  );
}

function logIn(pkcs11: Pkcs11, slot: Handle, { pin }: Pkcs11Config): Handle {
  const session = pkcs11.C_OpenSession(slot, SESSION_FLAGS);
  try {
    pkcs11.C_Login(session, CKU_USER, pin);
  } catch (cause) {
    throw new StartupError('The HSM refuses the PIN in VAULT_PKCS11_PIN_FILE.', { cause });
  }
  return session;
}

function versionOf(pkcs11: Pkcs11, session: Handle, key: Handle): number {
  const [label] = pkcs11.C_GetAttributeValue(session, key, [{ type: CKA_LABEL }]);
  return Number(LABEL.exec(label?.value.toString() ?? '')?.[1] ?? 0);
}

const gcmMechanism = (iv: Buffer, context: string): Mechanism => ({
  mechanism: CKM_AES_GCM,
  parameter: {
    type: CK_PARAMS_AES_GCM_V240,
    iv: Buffer.from(iv),
    aad: aadOf(context),
    ivBits: IV_BYTES * BITS_PER_BYTE,
    tagBits: TAG_BYTES * BITS_PER_BYTE,
  },
});

const templateOf = (version: number): Attribute[] => [
  { type: CKA_CLASS, value: CKO_SECRET_KEY },
  { type: CKA_KEY_TYPE, value: CKK_AES },
  { type: CKA_VALUE_LEN, value: KEY_BYTES },
  { type: CKA_LABEL, value: labelOf(version) },
  { type: CKA_TOKEN, value: true },
  { type: CKA_PRIVATE, value: true },
  { type: CKA_SENSITIVE, value: true },
  { type: CKA_EXTRACTABLE, value: false },
  { type: CKA_ENCRYPT, value: true },
  { type: CKA_DECRYPT, value: true },
];
