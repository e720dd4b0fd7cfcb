"""The words of a table's link: short, plain, easy to spell and to tell apart by ear.

Within a list no two words sound alike, and changing one letter never turns one into another. Words may be added. If one
is removed, its links still work; only those typed without hyphens are no longer recognized.
"""

FIRST = """
    agile airy alert amber ample arctic atomic auburn autumn azure balmy basic birch blooming bouncy brave breezy
    bright brisk bronze brown bubbly bumpy busy calm canvas careful ceramic charcoal cheery chilly chunky classic
    clear clever coastal cobalt copper coral cosmic cotton crafty cream crimson crisp crunchy crystal curious dainty
    dancing dapper daring dazzling deep dizzy double dreamy dusky eager early earnest eastern easy ebony elastic
    electric elegant emerald enamel epic equal exact fabled famous fearless festive flannel flexible floating floral
    fluent fluffy flying foggy fragrant frank fresh friendly frosty frozen funny fuzzy gallant generous gentle giant
    giddy ginger glad gleaming gliding glossy golden graceful grand groovy handy happy harmless hasty hazel healthy
    hearty helpful hidden honest hopeful hopping huge humble humming icy ideal indigo ivory jade jaunty jazzy jolly
    joyful juggling jumbo keen large laughing lavish leafy leaping leather lemon lilac lively local lofty loud lunar
    lush magenta magic magnetic major marble maroon melodic merry mild mint misty modern modest mossy musical
    mustard mystic natural navy nimble normal northern novel oaken obvious olive onyx opal open orange orderly
    painted paper patient peaceful peach perfect pink plaster playful pleasant plucky polar polished polite prompt
    proper puffy punctual purple quartz quick quirky radiant rapid rare ready regal relaxed restful rich rolling
    rosy round royal ruby rugged russet rustic saffron salmon sandstone satin scarlet secret serene shady sharp
    shiny silent silky silver simple sincere singing skating slate sleepy slender smart smiling smooth snappy snug
    soft southern sparkling special speckled speedy spicy spinning splendid spotless springy square starry stately
    steep striped sturdy stylish subtle summer super supple tactful tangy tawny teal tender tidy tinsel toasty topaz
    tranquil tropical trusty twinkly ultimate unique upbeat urban useful vanilla vast velvet vibrant vintage violet
    vital vivid walnut wandering warm western whistling wicker willow windy winged winter wise witty wonderful
    wooden worthy woven yellow young zippy
""".split()  # noqa: SIM905 - as a list of strings nobody would read it

SECOND = """
    acorn airship almond alpaca anchor anteater antelope apple apricot archway armadillo arrow atlas avocado badger
    bakery balloon banjo barnacle barrel basket beagle beanbag beetle blanket blossom bobcat bonfire bookcase
    boulder bridge brush buffalo bumblebee bunny butterfly button buzzard cabbage cactus calendar camel canary
    candle caramel caravan cardigan carnival carousel castle cavern chalk chapel cheetah cherry chestnut chicken
    chipmunk chocolate clarinet cobweb coconut compass condor corgi cottage crab cradle crayon crescent cricket
    crocodile cupboard curtain cushion daisy dandelion delta dewdrop diamond dingo dodo dolphin domino doorbell
    dragon dragonfly driftwood drum duckling dumpling easel elephant ember engine envelope falcon feather fern
    ferret fiddle finch firefly flag flamingo flask flint flute forest fountain fox foxglove frog fudge gadget
    galaxy garlic gazelle gecko gerbil gibbon giraffe glacier globe goblet goldfish gong goose gopher grapefruit
    grasshopper greyhound grotto guitar hammer hammock hamster harp harvest haystack hazelnut headland hedgehog
    helmet heron hill hillside hippo honeycomb horizon hourglass husky iceberg igloo iguana impala island ivy
    jackdaw jaguar jasmine jellyfish jigsaw jukebox jungle kangaroo kestrel kettle kingfisher kitten koala ladder
    ladybird lagoon lamb landmark lantern lark lavender lemming lemonade lemur leopard lettuce library lily lion
    lizard lobster locket lollipop magnet magpie mallard mammoth mantis marigold marlin marmalade marmot meerkat
    melon meteor mirror mongoose monkey moon moonbeam mushroom napkin nebula nectar needle nightingale nutmeg oasis
    oatmeal oboe octopus onion orchard orchid osprey ostrich otter outpost oven owl oyster pancake panda panther
    paperclip parakeet parasol parrot partridge passport pebble pelican pencil pendant penguin pepper picnic pigeon
    pike pineapple pinwheel pixel planet platypus plover porcupine postcard potato pretzel prism pudding puffin
    pumpkin puppy puzzle pyramid rabbit raccoon radio radish raft rainbow raindrop raisin raven reindeer rhino river
    robin rooster rope rosebud saddle sailboat salamander sandal sandpiper sandwich sapling sardine satchel saucer
    scarecrow scarf scooter seahorse seashell shadow shamrock shark sheep shovel shrimp signpost skateboard sketch
    skylark skyline slipper sloth snail snowball snowflake sofa sorbet spaniel sparrow spinach spiral spoon spyglass
    squid squirrel staircase stardust starfish starling stingray stirrup stork strawberry stream street submarine
    sugarcane suitcase sunbeam sunflower sunrise sunset surfboard swan swing syrup tablet tadpole tangerine tapestry
    teacup teapot telescope temple terrier thicket thistle thunder tiger toffee toolbox tortoise toucan toybox
    tractor trampoline treasure treehouse trellis trolley trombone trout trumpet tugboat tulip tunnel turkey turnip
    turtle twig umbrella unicorn vase vineyard violin vole waffle wagon wallaby wallflower walrus warbler wardrobe
    waterfall watermelon wheelbarrow whirlpool windmill window wolf wombat woodland woodpecker workshop yak
    yardstick
""".split()  # noqa: SIM905 - as a list of strings nobody would read it
