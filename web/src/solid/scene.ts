/**
 * What lies on the board, drawn by WebGL: the area, the blocks, the ink on their edges. It draws when it is told to,
 * and never else. Same look, same colours as the drawing in SVG that stands in for it.
 */

import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  Scene as World,
  Vector3,
  WebGLRenderer,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Box, Point } from "../geometry";
import { framesOf, HATCH, marksOf, SHADES } from "./paint";
import {
  goesOn,
  plus,
  tone,
  UNIT,
  WAYS,
  type Cube,
  type Cubes,
  type Look,
  type Paint,
  type Painting,
  type Way,
} from "./space";

export type Lying = { readonly region: Cubes; readonly blocks: readonly Painting[] };
/** Paints as the style sheet has them now, and whether patterns are on. */
export type Inks = {
  readonly colours: Readonly<Record<Paint, string>>;
  readonly cell: string;
  readonly hair: string;
  readonly rim: string;
  readonly edge: string;
  readonly bad: string;
  readonly patterns: boolean;
};
/** The canvas: which part of the drawing's plane it shows, and how many pixels it has. */
type Pane = { readonly box: Box; readonly width: number; readonly height: number; readonly ratio: number };
type Side = {
  readonly cell: Cube;
  readonly way: Way;
  readonly colour: Paint;
  readonly shade?: number;
  readonly wrong?: boolean;
};
/** A line on a side, which is said by its number. */
type Stroke = { readonly side: number; readonly from: Cube; readonly to: Cube };

const FLOOR: Way = WAYS.find(({ normal }) => normal[2] === 1) as Way;
/** The area lies a little lower than the blocks on it, so that its lines never show through their ink. */
const SUNK = 0.02;
const PAINTS: readonly Paint[] = ["sun", "sea", "clay", "leaf"];
const WHITE = new Color("#fff");
const DARK = new Color("#1a0f05");

export class Scene {
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly camera = new OrthographicCamera();
  private sides: readonly Side[] = [];
  private faces: Mesh<BufferGeometry> | null = null;
  private inks: Inks | null = null;

  constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext) {
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    this.camera.matrixAutoUpdate = false;
  }

  /** What lies there now, in these colours. */
  lay({ region, blocks }: Lying, inks: Inks): void {
    this.clear();
    this.inks = inks;
    const floor = region.filter(([, , z]) => z === 0).map((cell): Side => ({ cell: plus(cell, [0, 0, -1 - SUNK]), way: FLOOR, colour: "sun" })); // prettier-ignore
    const ground = keysOf(floor.map(({ cell }) => cell));
    this.world.add(faces(floor, () => new Color(inks.cell), 2));
    this.sides = blocks.flatMap(({ cells, colour, shade = 0, wrong = false }) => {
      const own = keysOf(cells);
      const open = cells.flatMap((cell) => WAYS.map((way) => ({ cell, way, colour, shade, wrong })));
      return open.filter(({ cell, way }) => !own.has(String(plus(cell, way.normal))));
    });
    this.faces = faces(this.sides, ({ colour }) => new Color(inks.colours[colour]), 1);
    this.world.add(this.faces);
    const inner = lines(floor, (side, over) => ground.has(String(plus(side.cell, over))));
    const outer = lines(floor, (side, over) => !ground.has(String(plus(side.cell, over))));
    this.world.add(
      stroke(inner, 1.4, () => inks.hair, floor),
      stroke(outer, 3.5, () => inks.rim, floor),
    );
    const own = new Map(blocks.flatMap(({ cells }) => cells.map((cell) => [String(cell), keysOf(cells)] as const)));
    const joins = ({ cell, way }: Side, over: Cube): boolean =>
      goesOn(own.get(String(cell)) ?? new Set(), cell, way, over);
    // Joints and patterns darken or lighten whatever side they are on.
    this.world.add(stroke(lines(this.sides, joins, 2), 1.2, () => DARK, this.sides, 0.26));
    if (inks.patterns) this.world.add(...this.patterns());
    this.world.add(...this.frames());
    const edges = (wrong: boolean) => lines(this.sides, (side, over) => side.wrong === wrong && !joins(side, over));
    this.world.add(
      stroke(
        this.marked(({ wrong }) => wrong === true, HATCH),
        4,
        () => inks.bad,
        this.sides,
        0.55,
      ),
      stroke(edges(false), 2.2, () => inks.edge, this.sides),
      stroke(edges(true), 3.2, () => inks.bad, this.sides),
    );
  }

  draw(seen: Look, { box, width, height, ratio }: Pane): void {
    if (this.faces === null || this.inks === null) return;
    this.light(seen);
    const up = seen.down.map((one) => -one) as unknown as Cube;
    this.camera.matrix.copy(new Matrix4().makeBasis(vector(seen.right), vector(up), vector(seen.near)));
    this.camera.matrix.setPosition(vector(seen.near).multiplyScalar(60));
    this.camera.updateMatrixWorld(true);
    this.camera.left = box.x / UNIT;
    this.camera.right = (box.x + box.width) / UNIT;
    this.camera.top = -box.y / UNIT;
    this.camera.bottom = -(box.y + box.height) / UNIT;
    this.camera.near = 1;
    this.camera.far = 120;
    this.camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.renderer.render(this.world, this.camera);
  }

  end(): void {
    this.clear();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  /** The lamp hangs by the viewer, so the sides' tones change with the view. */
  private light(seen: Look): void {
    const colours = this.faces?.geometry.getAttribute("color");
    if (colours === undefined || this.inks === null) return;
    for (const [i, { way, colour, shade = 0 }] of this.sides.entries()) {
      const own = toned(new Color(this.inks.colours[colour]), SHADES[shade] ?? 0);
      const lit = toned(own, tone(seen, way.normal));
      for (let corner = 0; corner < 4; corner += 1) colours.setXYZ(4 * i + corner, lit.r, lit.g, lit.b);
    }
    colours.needsUpdate = true;
  }

  private patterns(): LineSegments2[] {
    return PAINTS.map((paint) => {
      const strokes = SHADES.flatMap((_, of) =>
        this.marked(({ colour, shade = 0 }) => colour === paint && shade === of, marksOf(paint, of)),
      );
      const dark = paint === "sun" || paint === "leaf";
      return stroke(strokes, paint === "sun" ? 4 : 1.8, () => (dark ? DARK : WHITE), this.sides, dark ? 0.5 : 0.6);
    });
  }

  /** What tells blocks of one colour apart besides how light they are. */
  private frames(): LineSegments2[] {
    return SHADES.map((white, of) =>
      stroke(
        this.marked(({ shade = 0 }) => shade === of, framesOf(of)),
        1.6,
        () => (white < 0 ? WHITE : DARK),
        this.sides,
        0.62,
      ),
    );
  }

  /** Strokes on a field of 1, drawn on each side that is wanted. */
  private marked(wanted: (side: Side) => boolean, marks: readonly (readonly Point[])[]): Stroke[] {
    return this.sides.flatMap((one, side) => {
      if (!wanted(one)) return [];
      const [a, b, , d] = one.way.corners.map((corner) => plus(one.cell, corner)) as [Cube, Cube, Cube, Cube];
      const on = ([u, v]: Point): Cube =>
        [0, 1, 2].map((i) => at(a, i) + u * (at(b, i) - at(a, i)) + v * (at(d, i) - at(a, i))) as unknown as Cube;
      return marks.flatMap((points) =>
        points.slice(1).map((point, i) => ({ side, from: on(points[i] as Point), to: on(point) })),
      );
    });
  }

  private clear(): void {
    for (const thing of [...this.world.children]) {
      const { geometry, material } = thing as Mesh;
      geometry.dispose();
      for (const one of [material].flat()) one.dispose();
      this.world.remove(thing);
    }
  }
}

/** A colour with white or dark in it, mixed as the browser mixes what lies over it. */
function toned(colour: Color, share: number): Color {
  const mixed = new Color();
  const [own, other] = [colour, share > 0 ? WHITE : DARK].map((one) => one.clone().convertLinearToSRGB());
  return mixed.copy(own as Color).lerp(other as Color, Math.abs(share)).convertSRGBToLinear(); // prettier-ignore
}

/** Sides as one mesh, each with its colour; pushed back a little, so that ink lies on top of them. */
function faces(sides: readonly Side[], colour: (side: Side) => Color, back: number): Mesh<BufferGeometry> {
  const corners = sides.flatMap(({ cell, way }) => way.corners.flatMap((corner) => plus(cell, corner)));
  const colours = sides.flatMap((side) => Array.from({ length: 4 }, () => colour(side).toArray()).flat());
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(corners, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  geometry.setIndex(sides.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner)));
  const material = new MeshBasicMaterial({ vertexColors: true, polygonOffset: true, polygonOffsetFactor: back, polygonOffsetUnits: back * 2 }); // prettier-ignore
  return new Mesh(geometry, material);
}

/** Those edges of sides that are wanted, by what is beyond them; two of the four: each that is shared comes once. */
function lines(sides: readonly Side[], wanted: (side: Side, over: Cube) => boolean, edges = 4): Stroke[] {
  return sides.flatMap((side, i) => {
    const corners = side.way.corners.map((corner) => plus(side.cell, corner));
    return side.way.over.flatMap((over, k) =>
      k < edges && wanted(side, over) ? [{ side: i, from: corners[k] as Cube, to: corners[(k + 1) % 4] as Cube }] : [],
    );
  });
}

function stroke(
  wanted: readonly Stroke[],
  width: number,
  colour: (side: Side) => Color | string,
  sides: readonly Side[],
  opacity = 1,
): LineSegments2 {
  const geometry = new LineSegmentsGeometry();
  const colours = wanted.flatMap(({ side }) => {
    const one = new Color(colour(sides[side] as Side)).toArray();
    return [...one, ...one];
  });
  geometry.setPositions(wanted.flatMap(({ from, to }) => [...from, ...to]));
  geometry.setColors(colours);
  return new LineSegments2(
    geometry,
    new LineMaterial({
      linewidth: width,
      vertexColors: true,
      transparent: opacity < 1,
      depthWrite: opacity === 1,
      alphaToCoverage: opacity === 1,
      opacity,
    }),
  );
}

function keysOf(cells: Cubes): ReadonlySet<string> {
  return new Set(cells.map(String));
}

function vector(point: Cube): Vector3 {
  return new Vector3(...point);
}

function at(point: Cube, axis: number): number {
  return point[axis] as number;
}
