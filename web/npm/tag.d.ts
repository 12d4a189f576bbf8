// SPDX-License-Identifier: MIT
// What TypeScript's DOM knows of the element: its tag, and the types of its events.
import type { WeftWorldElement, WeftWorldEventMap } from '../element/element.js';

type Listener<Event> = (this: WeftWorldElement, event: Event) => unknown;

declare global {
  interface HTMLElementTagNameMap {
    'weft-world': WeftWorldElement;
  }
}

declare module '../element/element.js' {
  interface WeftWorldElement {
    addEventListener<Name extends keyof WeftWorldEventMap>(type: Name, listener: Listener<WeftWorldEventMap[Name]>, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<Name extends keyof WeftWorldEventMap>(type: Name, listener: Listener<WeftWorldEventMap[Name]>, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
  }
}
