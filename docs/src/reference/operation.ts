import { recordName } from '@florin/server/jsonapi/openapi/names.ts';
import type { OperationObject } from '@florin/server/jsonapi/openapi/schema.ts';
import { languages } from '../samples/languages.ts';
import type { SampleValue } from '../samples/literal.ts';
import type { SampleRequest } from '../samples/request.ts';
import { codeGroup } from '../site/code-group.ts';
import { exampleBodyOf, type ServedOperation } from './document.ts';
import { code, prose } from './schema-text.ts';

/** An operation: its address, meaning, responses, samples and console. */
export function operationSection(type: string, served: ServedOperation): string {
  const { method, path, operation } = served;
  return [
    `### ${operation.summary} {#${operation.operationId}}`,
    `${code(`${method.toUpperCase()} ${path}`)}`,
    prose(operation.description),
    `Responses: ${Object.keys(operation.responses).map(code).join(' ')}.`,
    ...(hasFile(operation)
      ? []
      : [sampleOf(type, served), `<TryIt operation="${operation.operationId}" />`]),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Whether body or response is a file, which neither samples nor the console can send or show. */
export const hasFile = ({ requestBody, responses }: OperationObject): boolean =>
  [requestBody, responses['200'], responses['201']].some((part) =>
    Object.keys((part as { content?: object } | undefined)?.content ?? {}).includes(FILE_TYPE),
  );

const FILE_TYPE = 'application/pdf';

/** Operations that only fetch have one sample, of the page's first list. */
function sampleOf(type: string, { method, path, operation }: ServedOperation): string {
  const isList = operation.operationId.startsWith('list');
  if (method === 'get' && !isList) return '';
  const request: SampleRequest = {
    method: method.toUpperCase() as SampleRequest['method'],
    path: path.replaceAll('{id}', `{{${variableOf(type)}}}`),
    body: exampleBodyOf(operation) as SampleValue | undefined,
    capture: method === 'post' ? variableOf(type) : undefined,
    errorCode: undefined,
  };
  return codeGroup(languages, (language) => language.render(request));
}

/** Name of a variable with a record: `paymentDemand`. */
const variableOf = (type: string): string => {
  const name = recordName(type);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
};
