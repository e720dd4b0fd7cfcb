import { describe, expect, it } from "vitest";
import { moment, movesToResend, withQueued, type QueuedMove } from "../src/paper/outbox";
import { askedHere, claimed, playing, voices } from "../src/paper/voices";
import type { Seat } from "../src/protocol";
import { seated, table } from "./tables";

const task = { pieces: ["yellow-1"], region: [[0, 0]], board: "1", number: "", face: "up" as const };
const people = ["Ann", "Bo", "Cy"].map((name) => seated(name, { task }));
const said = (seat: number, move: QueuedMove["move"], when = "1.1"): QueuedMove => ({ seat, move, when, n: 4 });
const claim = { type: "claim", cards: null } as const;

describe("what was said at a table of paper", () => {
  const here = table({ seats: people, round: 1, glass: { turned: 1, ends: 9 }, host: 0, voiced: [2] });

  it("shows at once, in its order", () => {
    const now = withQueued(here, [said(2, claim), said(0, claim), said(0, { type: "pass" })]);
    expect(claimed(now)).toEqual([2, 0]);
    expect(now.seats.map(({ passed }) => passed)).toEqual([true, false, false]);
    expect(claimed(withQueued(now, [said(2, { type: "take_back" })]))).toEqual([0]);
  });

  it("counts cards, and fills an area of dice", () => {
    const cards = withQueued(here, [said(1, { type: "claim", cards: 5 })]);
    expect(cards.seats[1]).toMatchObject({ cards: 5, called: null });
    const dice = withQueued({ ...here, area: 1 }, [said(1, claim)]);
    expect(dice.seats[1]).toMatchObject({ called: 1, passed: true });
  });

  it("takes a second chance back at once, and only the glass", () => {
    const second = { ...here, glass: { turned: 2, ends: 99 } };
    const now = withQueued(second, [said(1, { type: "turn_back" }, "1.2")]);
    expect(now).toEqual({ ...second, glass: { turned: 1, ends: 99 } });
    // Did it get through before the line was cut, it is not said of the glass that stands now.
    expect(movesToResend([said(1, { type: "turn_back" }, "1.2")], here)).toEqual([]);
  });

  it("is said again on a new line, unless the table has gone on", () => {
    expect(moment(here)).toBe("1.1");
    expect(movesToResend([said(0, claim), said(1, claim, "1.0")], here)).toEqual([{ ...said(0, claim), n: null }]);
    expect(movesToResend([said(0, { type: "pass" })], { ...here, glass: { turned: 2, ends: 99 } })).toEqual([]);
  });
});

describe("for whom a device speaks", () => {
  const here = table({ seats: people, host: 0, voiced: [2] });

  it("the host for who has none, everybody else for themselves", () => {
    expect(voices(here, 0)).toEqual([0, 2]);
    expect(voices(here, 1)).toEqual([1]);
    expect(voices(here, null)).toEqual([]);
  });

  it("anybody for whose device is gone, and then for whom that one spoke", () => {
    const [ann, bo, cy] = people as [Seat, Seat, Seat];
    const away = { present: false };
    expect(voices({ ...here, seats: [ann, { ...bo, ...away }, cy] }, 0)).toEqual([0, 1, 2]);
    expect(voices({ ...here, seats: [{ ...ann, ...away }, bo, cy] }, 1)).toEqual([0, 1, 2]);
    expect(voices({ ...here, seats: [{ ...ann, gone: true }, bo, cy] }, 1)).toEqual([1, 2]);
    expect(voices({ ...here, seats: [ann, { ...bo, gone: true }, cy] }, 1)).toEqual([]);
    expect(askedHere({ ...here, seats: [ann, { ...bo, ...away }, cy] }, [0, 1, 2], [0, 1, 2])).toEqual([1, 0, 2]);
    expect(askedHere(here, [0, 1, 2], [0, 2])).toEqual([0, 2]);
  });

  it("who has filled the area of dice waits", () => {
    const seats = [seated("Ann", { task, points: [2] }), seated("Bo", { task })];
    expect(playing(table({ seats, area: 1 }))).toEqual([1]);
  });
});
