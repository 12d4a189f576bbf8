// SPDX-License-Identifier: MIT
// Viewers of colyseus_sender: colyseus_viewers.mjs PORT CLIENTS SECONDS. Prints the numbers of frames and their lateness,
// computed as by `weftctl load`.

import { WebSocket } from 'ws';

const [port, clients, seconds] = process.argv.slice(2).map(Number);
const JOIN_ROOM = 10;
const due = [];
let counts = false;

async function join() {
  const answer = await fetch(`http://127.0.0.1:${port}/matchmake/joinOrCreate/bench`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  const seat = await answer.json();
  const { processId, roomId } = seat.room ?? seat;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${processId}/${roomId}?sessionId=${seat.sessionId}`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (data) => {
      if (data[0] === JOIN_ROOM) {
        socket.send(Buffer.from([JOIN_ROOM]));
        resolve(socket);
      } else if (counts && data.length > 1000) {
        const at = data.indexOf('frame') + 5;
        due.push(performance.now() - (1000 / 60) * data.readUInt32LE(at + 8));
      }
    });
  });
}

const sockets = [];
while (sockets.length < clients) sockets.push(...(await Promise.all(Array.from({ length: Math.min(20, clients - sockets.length) }, join))));
console.error('joined');
await new Promise((resolve) => setTimeout(resolve, 500));
counts = true;
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
counts = false;
const earliest = due.reduce((least, at) => Math.min(least, at), Infinity);
const late = due.map((at) => at - earliest).sort((a, b) => a - b);
const quantile = (share) => late[Math.min(late.length - 1, Math.floor(share * late.length))];
console.log(`total frames=${late.length} framesPerSecond=${(late.length / clients / seconds).toFixed(2)} p50Ms=${quantile(0.5)?.toFixed(3)} p99Ms=${quantile(0.99)?.toFixed(3)} maxMs=${late.at(-1)?.toFixed(3)}`);
process.exit(0);
