import { expect, it } from 'vitest';
import { createHttpAnswer } from '../../port/conformance-samples.ts';
import { cnpAnswers } from './map-answer.ts';

const checkWith = (response: string, members: object = {}) =>
  cnpAnswers.check(
    createHttpAnswer(200, { cnpOnlineResponse: { '@response': response, ...members } }),
  );

it.each([
  ['2', 'the XML has no login'],
  ['3', 'the user, the password or the merchant id is wrong'],
])('a check that is answered with %s refuses the credentials', (response, why) => {
  expect(checkWith(response)).toEqual({ result: 'refused', why });
});

it.each([
  ['1', 'Worldpay answered 200, response 1.'],
  ['4', 'Worldpay refused the message: there are too many connections.'],
  ['5', 'Worldpay refused the message: the message was taken for an attack, or is too long.'],
])('a check that is answered with %s says nothing about the credentials', (response, why) => {
  expect(checkWith(response)).toEqual({ result: 'unknown', why });
});

it.each(['150', '151', '152'])('a check whose query is answered with %s is accepted', (code) => {
  const queryTransactionResponse = { response: code };
  expect(checkWith('0', { queryTransactionResponse })).toEqual({ result: 'accepted' });
});
