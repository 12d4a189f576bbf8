// SPDX-License-Identifier: MIT
// A React application that shows a world, listens to its events, and can take it away.
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'weft-world/element';

const src = new URLSearchParams(location.search).get('src');

function App() {
  const [shown, setShown] = useState(true);
  const [controls, setControls] = useState(false);
  const [seconds, setSeconds] = useState(0);
  return (
    <>
      <button onClick={() => setShown(!shown)}>{shown ? 'Hide' : 'Show'}</button>
      <button onClick={() => setControls(!controls)}>Controls</button>
      <output>{seconds} s</output>
      {shown && (
        <weft-world src={src} controls={controls} camera={[0, 2, 8, 0, 1, 0]} style={{ width: 640, height: 360 }} ontick={({ detail }) => setSeconds(Math.floor(detail.time))} />
      )}
    </>
  );
}

createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);
