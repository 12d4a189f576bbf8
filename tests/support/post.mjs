// SPDX-License-Identifier: MIT
// Requests by POST /worlds/NAME/rpc. Their replies are validated like those on a WebSocket.

import { Contract } from './contract.mjs';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * @param {string | object} message as text, or as an object to be written as JSON
 * @returns {Promise<{status: number, headers: Headers, text: string, reply: any}>} `reply` undefined where it is no JSON
 */
export async function post(server, world, message, { headers = {}, signal } = {}) {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const answer = await fetch(server.http(`/worlds/${world}/rpc`), { method: 'POST', body, headers: { ...JSON_TYPE, ...headers }, signal });
  const text = await answer.text();
  if (answer.status !== 200) return { status: answer.status, headers: answer.headers, text };
  const contract = new Contract();
  contract.sent(body);
  contract.received(text);
  return { status: answer.status, headers: answer.headers, text, reply: JSON.parse(text) };
}

export const request = (id, method, params) => ({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, ...(params === undefined ? {} : { params }) });
