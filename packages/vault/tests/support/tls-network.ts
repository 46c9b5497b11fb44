import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  getCACertificates,
  type SecureContextOptions,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls';
import {
  type CertificateTerms,
  certificateOf,
  type Holder,
} from '@florin/simulator/wallets/certificate.ts';

/** A subject or issuer with new keys. */
export const createHolder = (name: string): Holder => ({
  name,
  keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
});

const toPem = (terms: CertificateTerms): string =>
  new X509Certificate(certificateOf(terms)).toString();

const keyPem = ({ keys }: Holder): string =>
  keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const dates = { notBefore: new Date('2020-01-01'), notAfter: new Date('2049-01-01') };
const authority = createHolder('authority');
const authorityPem = toPem({ subject: authority, issuer: authority, ca: true, ...dates });

/** A certificate of the test authority with its key, both as PEM. */
export function issueCertificate(name: string, changes: Partial<CertificateTerms> = {}) {
  const subject = createHolder(name);
  const certificate = toPem({ subject, issuer: authority, ca: false, ...dates, ...changes });
  return { certificate, private_key: keyPem(subject) };
}

/** A message, with the name in its client certificate, and the number of its connection from 1. */
interface ReceivedMessage {
  readonly client: string;
  readonly connection: number;
  readonly body: string;
}

/** A processor over HTTPS that accepts only clients of the test authority. The process trusts it until disposal. */
export async function startTlsNetwork(options: Pick<SecureContextOptions, 'maxVersion'> = {}) {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, authorityPem]);
  const { certificate: cert, private_key: key } = issueCertificate('localhost');
  const received: ReceivedMessage[] = [];
  const sockets: TLSSocket[] = [];
  const heldResponses: ServerResponse[] = [];
  const tls = { cert, key, ca: authorityPem, requestCert: true, ...options };
  const server = createServer(tls, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const socket = request.socket as TLSSocket;
    received.push({
      client: String(socket.getPeerCertificate().subject.CN),
      connection: sockets.indexOf(socket) + 1,
      body: Buffer.concat(chunks).toString(),
    });
    if (request.url === '/hold') heldResponses.push(response);
    else response.end('{"result":"approved"}');
  });
  // Idle connections stay open, so that only the vault closes them.
  server.keepAliveTimeout = 0;
  server.on('secureConnection', (socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    received,
    /** Numbers of the connections that are open. */
    openConnections: () => sockets.flatMap(({ closed }, index) => (closed ? [] : [index + 1])),
    /** Answers the held messages to `/hold`. */
    release() {
      for (const response of heldResponses.splice(0)) response.end('{"result":"approved"}');
    },
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(trusted);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
