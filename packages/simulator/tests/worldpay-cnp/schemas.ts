import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';

/** Official schemas of cnpAPI, if this machine has them. */
const FILE = join(
  import.meta.dirname,
  '../../../../../shared/data/worldpay-cnp/cnpOnline_v12.34.xsd',
);

export const hasSchemas = existsSync(FILE);
if (!hasSchemas) console.warn(`Messages of cnpAPI are not validated: ${FILE} does not exist.`);

let validator: XsdValidator | undefined;

function openValidator(): XsdValidator {
  xmlRegisterFsInputProviders();
  const source = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
    <xs:import namespace="http://www.vantivcnp.com/schema" schemaLocation="${FILE}"/></xs:schema>`;
  return XsdValidator.fromDoc(XmlDocument.fromString(source, { url: `${FILE}.all` }));
}

/** Differences between a message and the official schema; empty without differences. */
export function schemaErrors(xml: string): string[] {
  validator ??= openValidator();
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    const { message, details = [] } = error as Error & { details?: { message: string }[] };
    return details.length > 0 ? details.map((detail) => detail.message.trim()) : [message];
  } finally {
    document.dispose();
  }
}
