# Weft: build, run, test. `make help` lists the targets.
#
# Everything made goes to $(OUT), but for the npm packages (node_modules), web/vendor, which is copied out of them, the
# page's compressed files (web/**/*.gz) and what `make generate` writes. Objects depend on the flags they were made with, so another CC or OPTIMISE rebuilds them;
# keep two builds side by side with OUT: `make OUT=build/clang CC=clang`. V=1 shows the commands in full.

OUT      ?= build
HOST     ?= 127.0.0.1
PORT     ?= 8080
DATA     ?= data
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
OPTIMISE ?= -O3 -fno-math-errno
ifeq ($(origin CC),default)
CC := gcc
endif

WARNINGS   := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
              -Wdouble-promotion -Wvla -Wformat=2 -Wundef -Werror
# Hardening: canaries on stacks, large stack frames touched page by page, checked copies (FORTIFY, where the build is
# optimised, which it needs, and has no sanitizer, which checks more), position-independent programs whose address tables
# are resolved at start and then read-only, and control-flow enforcement where compiler and processor have it. The objects
# serve programs and the shared library alike: what is not marked as public is hidden, so that -fPIC costs no more than
# -fPIE.
accepts     = $(shell echo 'int main(void) { return 0; }' | $(CC) -Werror $(1) -x c -o /dev/null - 2>/dev/null && echo '$(1)')
FORTIFY    := $(if $(SANITISE)$(findstring -O0,$(OPTIMISE)),,$(or $(call accepts,-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-O2 -D_FORTIFY_SOURCE=2))
HARDEN     := -fPIC -fvisibility=hidden -fstack-protector-strong $(call accepts,-fstack-clash-protection) $(call accepts,-fcf-protection=full) \
              $(filter-out -O2,$(FORTIFY))
HARDEN_LINK := -pie -Wl,-z,relro,-z,now,-z,noexecstack

CFLAGS_ALL  = -std=c17 $(OPTIMISE) -g $(WARNINGS) $(HARDEN) -ffp-contract=off -fno-strict-aliasing -D_GNU_SOURCE -Iserver \
              $(SANITISE) $(CFLAGS)

# ---- sources and the programs made of them ---------------------------------------------------------------------------

BASE  := $(wildcard server/base/*.c)
SIM   := $(wildcard server/sim/*/*.c)
PROTO := $(wildcard server/proto/*/*.c)
NET   := $(wildcard server/net/*/*.c)
STORE := $(wildcard server/store/*.c server/store/*/*.c)
ENGINE := $(wildcard server/engine/*.c server/engine/*/*.c)
HOST_C := $(wildcard server/host/*.c server/host/*/*.c)
APP   := $(ENGINE) $(HOST_C)
TOOLS := $(wildcard server/tools/*.c server/tools/*/*.c)
UNIT  := $(wildcard tests/unit/*_test.c)
ECHO  := $(wildcard tests/system/net_echo.c)
SCARCE := tests/system/scarce.c
FUZZ  := tests/fuzz/worlds.c
TARGETS := $(wildcard tests/fuzz/fuzz_*.c)
BENCH := $(wildcard tests/bench/*.c)
SAME  := $(wildcard tests/determinism/*.c)
AID   := $(wildcard tests/support/*.c)
SOURCES := $(BASE) $(SIM) $(PROTO) $(NET) $(STORE) $(APP) $(TOOLS) $(UNIT) $(ECHO) $(SCARCE) $(FUZZ) $(TARGETS) $(SAME) $(BENCH) $(AID) server/main.c

quiet   = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2);)
comma   := ,
objects = $(patsubst %.c,$(OUT)/%.o,$(1))
link    = $(call quiet,link,$@)$(CC) $(CFLAGS_ALL) $(HARDEN_LINK) $(LDFLAGS) -o $@ $(filter %.o,$^)

# Allocations that fail when a test wants it: tests/support/failing_memory.h.
FAILING := $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc strdup strndup free)

WEFTD    := $(OUT)/weftd
WEFTCTL  := $(OUT)/weftctl
PAGE     := $(OUT)/web/index.html
PROGRAMS := $(patsubst tests/unit/%.c,$(OUT)/tests/%,$(UNIT)) $(patsubst tests/system/%.c,$(OUT)/tests/%,$(ECHO)) \
            $(patsubst tests/fuzz/%.c,$(OUT)/tests/fuzz_%,$(FUZZ)) $(OUT)/tests/record $(OUT)/tests/scenarios $(OUT)/tests/scarce

all: fresh $(WEFTD) $(WEFTCTL) $(PAGE) ## build weftd, weftctl and what the page needs (the default)

$(WEFTD): $(call objects,$(BASE) $(SIM) $(PROTO) $(NET) $(STORE) $(APP) server/main.c)
	$(link) -lwebsockets -lssl -lcrypto -lcjson -lqrencode -lsqlite3 -lpq -lzstd -lz -lpthread -lm
$(WEFTCTL): $(call objects,$(BASE) $(SIM) $(PROTO) $(NET) $(STORE) $(APP) $(TOOLS))
	$(link) -lwebsockets -lssl -lcrypto -lcjson -lqrencode -lsqlite3 -lpq -lzstd -lz -lpthread -lm

# A unit test is one program per file; net_* tests stand on the network, store_* on the store, engine_* on the engine, host_* on all, others on
# the core and the protocol.
programs: $(PROGRAMS)
$(OUT)/tests/net_%_test: $(OUT)/tests/unit/net_%_test.o $(call objects,$(BASE) $(NET))
	@mkdir -p $(@D)
	$(link) -lcmocka -lwebsockets -lssl -lcrypto -lpthread -lm
$(OUT)/tests/store_%_test: $(OUT)/tests/unit/store_%_test.o $(call objects,$(BASE) $(STORE) $(AID))
	@mkdir -p $(@D)
	$(link) $(WRAPPED) -lcmocka -lsqlite3 -lpq -lzstd -lpthread -lm
# libpq finds the malloc of this program.
$(OUT)/tests/store_memory_test: WRAPPED = $(FAILING) -rdynamic
$(OUT)/tests/host_%_test: $(OUT)/tests/unit/host_%_test.o $(call objects,$(BASE) $(SIM) $(PROTO) $(NET) $(STORE) $(APP))
	@mkdir -p $(@D)
	$(link) $(WRAPPED) -lcmocka -lwebsockets -lssl -lcrypto -lcjson -lqrencode -lsqlite3 -lpq -lzstd -lz -lpthread -lm
# The host without sockets, threads and clocks: tests/unit/simulated_process.h.
SIMULATED := clock_gettime getrandom pthread_cond_wait jobs_create $(addprefix job_thread_,create post read_load stop destroy) \
             $(addprefix scheduler_,start add wake) $(addprefix net_server_,create destroy stop) net_hold_reading \
             $(addprefix net_post_,send close resume_reading join leave publish_ordered publish_state publish_frame state frame) \
             $(addprefix history_,note note_clock tick begin_scene begin_fork)
$(OUT)/tests/host_lives_test: WRAPPED = $(patsubst %,-Wl$(comma)--wrap=%,$(SIMULATED))
$(OUT)/tests/engine_%_test: $(OUT)/tests/unit/engine_%_test.o $(call objects,$(BASE) $(SIM) $(PROTO) $(ENGINE))
	@mkdir -p $(@D)
	$(link) -lcmocka -lcjson -lpthread -lm
$(OUT)/tests/%_test: $(OUT)/tests/unit/%_test.o $(call objects,$(BASE) $(SIM) $(PROTO))
	@mkdir -p $(@D)
	$(link) -lcmocka -lcjson $(ORACLE) -lpthread -lm
$(OUT)/tests/sim_gjk_test: ORACLE := -lccd
$(OUT)/tests/fuzz_%: $(OUT)/tests/fuzz/%.o $(call objects,$(BASE) $(SIM))
	@mkdir -p $(@D)
	$(link) -lpthread -lm
# Fuzz targets: programs of libFuzzer's, for which clang must have made all objects (run.sh says how); and the unit test
# that replays what they have found.
fuzzers: $(patsubst tests/fuzz/fuzz_%.c,$(OUT)/fuzz/%,$(TARGETS))
$(OUT)/fuzz/%: $(OUT)/tests/fuzz/fuzz_%.o $(call objects,$(BASE) $(SIM) $(PROTO) $(NET) $(STORE) $(APP))
	@mkdir -p $(@D)
	$(link) -fsanitize=fuzzer -lwebsockets -lssl -lcrypto -lcjson -lqrencode -lsqlite3 -lpq -lzstd -lz -lpthread -lm
$(OUT)/tests/host_corpus_test: $(call objects,$(TARGETS))
$(OUT)/tests/net_echo: $(OUT)/tests/system/net_echo.o $(call objects,$(BASE) $(NET))
	@mkdir -p $(@D)
	$(link) -lwebsockets -lssl -lcrypto -lpthread -lm
# The server, with memory that runs out.
$(OUT)/tests/scarce: $(call objects,$(SCARCE) $(BASE) $(SIM) $(PROTO) $(NET) $(STORE) $(APP) server/main.c)
	@mkdir -p $(@D)
	$(link) $(FAILING) -lwebsockets -lssl -lcrypto -lcjson -lqrencode -lsqlite3 -lpq -lzstd -lz -lpthread -lm

# ---- the engine as a library: libweft.a, libweft.so, weft.h, weft.pc --------------------------------------------------

# Of the same objects as the programs. They show nothing but the functions of weft.h: what weft.h does not declare is made
# local in the one object of libweft.a.
VERSION  := $(shell sed -n 's/^.define WEFT_VERSION "\(.*\)"/\1/p' server/base/version.h)
LIB_C    := $(filter-out server/base/job_thread.c server/base/log% server/base/queue.c,$(BASE)) $(SIM) $(PROTO) $(ENGINE)
LIB_O    := $(call objects,$(LIB_C))
lib: $(OUT)/lib/libweft.a $(OUT)/lib/libweft.so.$(VERSION) ## build the engine as a library in $(OUT)/lib
$(OUT)/lib/libweft.a: $(LIB_O)
	@mkdir -p $(@D)
	$(call quiet,ar,$@)ld -r -o $(OUT)/lib/weft.o $^ && objcopy --localize-hidden $(OUT)/lib/weft.o && rm -f $@ && $(AR) rcs $@ $(OUT)/lib/weft.o
$(OUT)/lib/libweft.so.$(VERSION): $(LIB_O)
	@mkdir -p $(@D)
	$(call quiet,link,$@)$(CC) $(CFLAGS_ALL) -shared -Wl,-soname,libweft.so.0 -Wl,-z,relro,-z,now,-z,noexecstack,-z,defs $(LDFLAGS) -o $@ $^ -lcjson -lm

# The Python package in a virtual environment, with what it is checked and tested with (proto/python/requirements.txt).
PYTHON ?= /usr/bin/python3
VENV   := $(OUT)/venv
PYTHON_FILES := $(shell find proto/python -type f ! -path '*/tests/*' ! -path '*/__pycache__/*')
NATIVE := $(wildcard proto/python/native/*.[ch])
$(VENV)/.made: proto/python/requirements.txt
	@mkdir -p $(@D)
	$(call quiet,venv,$(VENV))$(PYTHON) -m venv $(VENV) && $(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
NOTEBOOK := $(OUT)/notebook/view.js.gz
$(VENV)/.installed: $(VENV)/.made $(NOTEBOOK) $(OUT)/lib/libweft.a server/engine/weft.h server/host/run/parallel_for.c $(PYTHON_FILES)
	@rm -rf $(OUT)/python && cp -R proto/python $(OUT)/python && cp -R $(dir $(NOTEBOOK)) $(OUT)/python/src/weft_world/notebook
	$(call quiet,pip,proto/python)WEFT_SOURCE='$(CURDIR)' WEFT_LIBRARY='$(abspath $(OUT))/lib/libweft.a' CC='$(CC)' \
	  $(VENV)/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index --force-reinstall $(OUT)/python
	@touch $@
python: $(VENV)/.installed ## install the Python package weft-world in the virtual environment $(OUT)/venv

# The same with server, page and all libraries inside, for machines without a compiler: proto/python/wheel.sh.
WHEEL := $(OUT)/wheel
wheel: ## build a wheel of engine, server and page, which pip installs without a compiler: $(OUT)/wheel/weft_world-VERSION-….whl
	@tests/house/install.sh run python
	@$(MAKE) --no-print-directory $(ALL_CORES) fresh $(WHEEL)/.made
	@ls $(WHEEL)/*.whl
$(WHEEL)/.made: $(VENV)/.made $(WEFTD) $(PAGE) $(NOTEBOOK) $(OUT)/lib/libweft.a server/engine/weft.h server/host/run/parallel_for.c \
                $(wildcard server/scenes/*.json) $(PYTHON_FILES) LICENSE
	$(call quiet,wheel,$(WHEEL))OUT='$(OUT)' CC='$(CC)' proto/python/wheel.sh
	@touch $@

# What the package is measured against, in an environment of its own.
BENCH_VENV := $(OUT)/bench/venv
$(BENCH_VENV)/.made: tests/bench/python/requirements.txt
	@mkdir -p $(@D)
	$(call quiet,venv,$(BENCH_VENV))$(PYTHON) -m venv $(BENCH_VENV) && $(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# The benchmarks are no part of `programs`: they need packages that nothing else does.
BENCHES := $(addprefix $(OUT)/bench/,solver growth twist tick engine_tick engine_scene bullet_scene frames sender deadline)
benches: $(BENCHES)
BENCH_CORE := $(call objects,$(BASE) $(SIM))
bench_objects = $(call objects,$(patsubst %,tests/bench/%.c,$(1)))
$(OUT)/bench/growth: $(call bench_objects,growth stage workers) $(BENCH_CORE) $(OUT)/server/host/run/parallel_for.o
	@mkdir -p $(@D)
	$(link) -lpthread -lm
$(OUT)/bench/twist: $(call bench_objects,twist workers) $(BENCH_CORE) $(OUT)/server/host/run/parallel_for.o
	@mkdir -p $(@D)
	$(link) -lpthread -lm
$(OUT)/bench/tick: $(call bench_objects,tick stage packer) $(BENCH_CORE) $(call objects,$(PROTO))
	@mkdir -p $(@D)
	$(link) -lcjson -lpthread -lm
$(OUT)/bench/engine_%: $(OUT)/tests/bench/engine_%.o $(LIB_O)
	@mkdir -p $(@D)
	$(link) -lcjson -lm
$(OUT)/bench/frames: $(call bench_objects,frames recording rivals packer) $(BENCH_CORE) $(call objects,$(PROTO))
	@mkdir -p $(@D)
	$(link) -lmeshoptimizer -lzstd -lz -lcjson -lpthread -lm
$(OUT)/bench/sender: $(call bench_objects,sender)
	@mkdir -p $(@D)
	$(link)
$(OUT)/bench/deadline: $(call bench_objects,deadline)
	@mkdir -p $(@D)
	$(link)
$(OUT)/bench/solver: $(call bench_objects,solver sheet workers) $(OUT)/tests/bench/bullet.o $(BENCH_CORE) $(OUT)/server/host/run/parallel_for.o
	@mkdir -p $(@D)
	$(call quiet,link,$@)$(CXX) $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ -lBulletSoftBody -lBulletDynamics -lBulletCollision -lLinearMath -lpthread -lm
$(OUT)/bench/bullet_scene: $(OUT)/tests/bench/bullet_scene.o
	@mkdir -p $(@D)
	$(call quiet,link,$@)$(CXX) $(HARDEN_LINK) $(LDFLAGS) -o $@ $^ -lBulletSoftBody -lBulletDynamics -lBulletCollision -lLinearMath
$(OUT)/tests/bench/bullet_scene.o: tests/bench/bullet_scene.cpp
	@mkdir -p $(@D)
	$(call quiet,c++,$<)$(CXX) -std=c++17 -O3 -Wall -Wextra -isystem /usr/include/bullet -c -o $@ $<
$(OUT)/tests/bench/bullet.o: tests/bench/bullet.cpp tests/bench/bullet.h tests/bench/sheet.h
	@mkdir -p $(@D)
	$(call quiet,c++,$<)$(CXX) -O3 -Wall -Wextra -isystem /usr/include/bullet -c -o $@ $<
# The scenarios and the scenes on a tape: tests/determinism/run.sh.
$(OUT)/tests/scenarios: $(call objects,$(patsubst %,tests/determinism/%.c,main scenario method scene tape) $(BASE) $(SIM))
	@mkdir -p $(@D)
	$(link) -lpthread -lm
# What the server asks of the simulation goes by the recorder.
RECORDED := cloth_spawn mesh_spawn particles_spawn rope_spawn body_spawn plant_spawn ragdoll_spawn soft_spawn obstacle_add obstacle_move \
            world_set_parameters stick_join particle_pin particle_unpin particle_set_inverse_mass blade_cut
$(OUT)/tests/record: $(call objects,tests/determinism/record.c tests/determinism/scene.c tests/determinism/tape.c \
                       $(BASE) $(SIM) $(PROTO) $(NET) $(STORE) $(APP))
	@mkdir -p $(@D)
	$(link) $(patsubst %,-Wl$(comma)--wrap=sim_%,$(RECORDED)) -lwebsockets -lssl -lcrypto -lcjson -lqrencode -lsqlite3 -lpq -lzstd -lz -lpthread -lm

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call quiet,cc,$<)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# Rewritten only when the compiler or its flags are not those of the last build.
$(OUT)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CFLAGS_ALL) $(HARDEN_LINK) $(LDFLAGS)' | cmp -s - $@ || \
	  echo '$(CC) $(CFLAGS_ALL) $(HARDEN_LINK) $(LDFLAGS)' > $@

-include $(patsubst %.c,$(OUT)/%.d,$(SOURCES))

# ---- generated files and npm packages --------------------------------------------------------------------------------

fresh: ## fail if the generated protocol files are older than proto/
	@node proto/generate.mjs --check || { echo 'The generated protocol files are stale: run `make generate`.' >&2; exit 1; }
	@node proto/codec_wasm.mjs --check
	@node proto/engine_wasm.mjs --check
	@node web/scenes.mjs --check
wasm: ## build the frame decoder and the engine for WebAssembly (clang, lld, wasi-libc needed); the results are committed
	node proto/codec_wasm.mjs
	node proto/engine_wasm.mjs
generate: ## write the protocol's C, JavaScript and reference page from proto/weft.openrpc.json; the file of local worlds' scenes
	node proto/generate.mjs
	node web/scenes.mjs

%/node_modules/.made: %/package-lock.json
	@echo 'Fetching the npm packages of $*/package-lock.json.'
	npm ci --prefix $* --no-audit --no-fund --loglevel=error
	@touch $@
web/vendor/.made: web/node_modules/.made web/vendor.mjs
	node web/vendor.mjs
	@touch $@
PAGE_FILES := $(shell find web/client web/element web/lessons web/viewer -type f ! -name '*.gz*')
web/vendor/.compressed: web/vendor/.made web/compress.mjs $(PAGE_FILES)
	node web/compress.mjs
	@touch $@

npm: web/node_modules/.made tests/node_modules/.made ## pack the npm package weft-world: $(OUT)/npm/weft-world-VERSION.tgz
	node web/npm/pack.mjs $(OUT)/npm

# The page as `make run` and installed servers serve it: bundled, beside its modules. weftd itself takes web/, where changes need no build.
$(PAGE): web/vendor/.compressed web/index.html web/reference.html web/watch.html web/plugins.mjs $(wildcard web/site/*) $(PAGE_FILES)
	node web/site/served.mjs $(OUT)/web
	@touch $@

site: $(OUT)/weft.html ## build the page for use without a server: $(OUT)/site for any static host, $(OUT)/weft.html in one file
$(OUT)/site/index.html $(OUT)/weft.html &: web/vendor/.made web/index.html web/plugins.mjs $(wildcard web/site/*) $(PAGE_FILES)
	node web/site/build.mjs $(OUT)

# The page's part of the notebook's widget, for the Python package: bundled as the page is for npm.
$(NOTEBOOK): web/node_modules/.made web/npm/notebook.mjs web/npm/bundle.mjs web/plugins.mjs $(wildcard web/notebook/*) $(PAGE_FILES)
	node web/npm/notebook.mjs $(@D)

# ---- run and install -------------------------------------------------------------------------------------------------

# As many jobs as there are cores, unless -j says how many.
ALL_CORES = $(if $(filter -j%,$(MAKEFLAGS)),,-j "$$(nproc 2>/dev/null || echo 2)")

run: ## install what is missing, build, and serve the world: make run [HOST=0.0.0.0] [PORT=8080] [DATA=data]
	@tests/house/install.sh run
	@$(MAKE) --no-print-directory $(ALL_CORES) all
	$(WEFTD) --host $(HOST) --port $(PORT) --data $(DATA) --web $(OUT)/web $(if $(filter 127.% localhost ::1,$(HOST)),,--insecure-public)

# In the folder $(OUT)/cluster, which keeps the worlds. PORT is that of the page; the six above it are taken, too.
NODES ?= 3
cluster: ## install what is missing, build, and serve from 3 servers, PostgreSQL with a standby, nginx: make cluster [PORT=8080] [NODES=3]
	@tests/house/install.sh run cluster
	@$(MAKE) --no-print-directory $(ALL_CORES) all
	@OUT='$(OUT)' PORT='$(PORT)' NODES='$(NODES)' docker/cluster.sh

# What both programs say of themselves, as manual pages, completion for bash and the service's variables.
MANUAL := $(addprefix $(OUT)/manual/,weftd.1 weftctl.1 weft-methods.7 weftd.bash weftctl.bash weftd.default)
manual: $(MANUAL) ## write the manual pages and completions, from the options and methods, to $(OUT)/manual
$(MANUAL) &: $(WEFTD) $(WEFTCTL) server/tools/manual.mjs proto/weft.openrpc.json
	$(call quiet,node,$(OUT)/manual)node server/tools/manual.mjs $(OUT) $(OUT)/manual

SHARED := $(DESTDIR)$(PREFIX)/share
SHARE  := $(SHARED)/weft
INCLUDE := $(DESTDIR)$(PREFIX)/include
DOCUMENTS := LICENSE README.md proto/PROTOCOL.md proto/FRAMES.md
install: all install-lib manual ## copy weftd, weftctl, the page, the scenes and the library: make install [PREFIX=/usr/local] [LIBDIR=PREFIX/lib] [DESTDIR=]
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/web $(SHARE)/scenes $(SHARED)/doc/weft $(SHARED)/man/man1 $(SHARED)/man/man7 $(SHARED)/bash-completion/completions
	install -m 755 $(WEFTD) $(WEFTCTL) $(DESTDIR)$(PREFIX)/bin
	install -m 644 server/scenes/*.json $(SHARE)/scenes
	cp -R --preserve=timestamps $(OUT)/web/. $(SHARE)/web
	install -m 644 $(DOCUMENTS) $(SHARED)/doc/weft
	install -m 644 $(OUT)/manual/weftd.1 $(OUT)/manual/weftctl.1 $(SHARED)/man/man1
	install -m 644 $(OUT)/manual/weft-methods.7 $(SHARED)/man/man7
	install -m 644 $(OUT)/manual/weftd.bash $(SHARED)/bash-completion/completions/weftd
	install -m 644 $(OUT)/manual/weftctl.bash $(SHARED)/bash-completion/completions/weftctl

install-lib: lib ## copy libweft, weft.h and weft.pc only
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(INCLUDE)
	install -m 644 $(OUT)/lib/libweft.a $(DESTDIR)$(LIBDIR)
	install -m 755 $(OUT)/lib/libweft.so.$(VERSION) $(DESTDIR)$(LIBDIR)
	ln -sf libweft.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libweft.so.0
	ln -sf libweft.so.0 $(DESTDIR)$(LIBDIR)/libweft.so
	install -m 644 server/engine/weft.h $(INCLUDE)
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|; s|@VERSION@|$(VERSION)|' server/engine/weft.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/weft.pc

# The folders below share/weft are Weft's own, but for the scenes that people have saved in scenes/saved. Folders that
# other programs use too stay, and so do those of Weft in which something else lies.
uninstall: ## remove what `make install` has copied, with the same PREFIX, LIBDIR and DESTDIR; saved scenes stay
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,weftd weftctl) $(addprefix $(SHARE)/scenes/,$(notdir $(wildcard server/scenes/*.json)))
	rm -rf $(SHARE)/web
	rm -f $(addprefix $(SHARED)/doc/weft/,$(notdir $(DOCUMENTS)))
	rm -f $(addprefix $(SHARED)/man/,man1/weftd.1 man1/weftctl.1 man7/weft-methods.7) $(addprefix $(SHARED)/bash-completion/completions/,weftd weftctl)
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libweft.a libweft.so libweft.so.0 libweft.so.$(VERSION) pkgconfig/weft.pc) $(INCLUDE)/weft.h
	@for folder in $(SHARE)/scenes $(SHARE) $(SHARED)/doc/weft; do [ ! -d "$$folder" ] || rmdir --ignore-fail-on-non-empty "$$folder"; done

# The packages hold the programs that `make all` has built; debian/rules installs and splits them, so there is no source
# package. Their version names the release of Debian that they were built on, whose libraries they need.
DEB := $(OUT)/deb
deb: all lib manual ## build Debian packages in $(OUT)/deb: weftd, weftctl, weft-web, libweft, libweft-dev
	@tests/house/install.sh deb
	rm -rf $(DEB)
	install -d $(DEB)/weft
	cp -R docker/debian $(DEB)/weft/debian
	docker/changelog.sh $(VERSION) > $(DEB)/weft/debian/changelog
	cd $(DEB)/weft && WEFT_SOURCE='$(CURDIR)' WEFT_OUT='$(abspath $(OUT))' dpkg-buildpackage --build=binary --no-sign
	@ls $(DEB)/*.deb

# ---- tests and checks (tests/house/run.sh says what each consists of) ------------------------------------------------

SUITE = @OUT='$(OUT)' MAKE='$(MAKE)' tests/house/run.sh
test: ## install what is missing, build, and run the tests, in about 25 minutes on two cores
	$(SUITE) test
test-all: ## what `make test` leaves out: long runs, other compilers and WebAssembly, the tests under sanitizers
	$(SUITE) test-all
unit: ## unit tests only
	$(SUITE) unit
physics: ## write tests/PHYSICS.md: what the tests measure of the physics, and its limits
	$(SUITE) physics
asan: ## unit and system tests with the address and undefined-behaviour sanitizers, in $(OUT)/asan
	$(SUITE) asan
tsan: ## unit and system tests with the thread sanitizer, in $(OUT)/tsan
	$(SUITE) tsan
fuzz: ## fuzz what comes from strangers, and run random worlds: make fuzz [MINUTES=30 each] [TARGET=json…|wasm] [WORLDS=100000]
	$(SUITE) fuzz
soak: ## a server under random clients, and viewers in lockstep, for a long time: make soak [SECONDS=1800 and 3600]
	@SECONDS_TO_SOAK='$(SECONDS)' OUT='$(OUT)' MAKE='$(MAKE)' tests/house/run.sh soak
# Results are kept in $(OUT)/cluster-test; what was stopped goes on there. RUNS=1 SEED=N repeats one run.
cluster-test: ## random faults of whole clusters, in network namespaces (root needed): make cluster-test [RUNS=300] [JOBS=2] [SEED=1]
	@RUNS='$(RUNS)' JOBS='$(JOBS)' SEED='$(SEED)' OUT='$(OUT)' MAKE='$(MAKE)' tests/house/run.sh cluster-test
reliability: ## write tests/RELIABILITY.md from what test, fuzz and soak have measured last
	$(SUITE) reliability
bench: ## measure against others and write $(OUT)/bench/report.md: make bench [PART=solver|peers|growth|twist|tick|frames|fanout|lockstep|broadcast|page|class|store|cluster|python] [SCENE=cloth|boxes|bridge|twist|balloon, of peers] [QUICK=1] [ROUNDS=N]
	@tests/house/install.sh run python bench
	@$(MAKE) --no-print-directory $(ALL_CORES) all site python benches $(BENCH_VENV)/.made tests/bench/node_modules/.made tests/node_modules/.made
	@QUICK='$(QUICK)' ROUNDS='$(ROUNDS)' SCENE='$(SCENE)' node tests/bench/run.mjs '$(OUT)' $(PART)
test-deb: ## build the packages for Debian 12 and 13; install, run and remove them in roots of both (root and debootstrap needed)
	OUT='$(OUT)' tests/house/deb.sh
test-wheel: wheel ## install and try the wheel in a Debian 12 root with nothing but Python (root and debootstrap needed)
	OUT='$(OUT)' tests/house/wheel.sh
test-debian13: ## build and test the container image's steps in a Debian 13 root (root and debootstrap needed)
	OUT='$(OUT)' tests/house/debian13.sh

C_FILES  = $(filter-out server/proto/gen/%,$(SOURCES))
H_FILES  = $(filter-out server/proto/gen/% server/engine/gen/%,$(wildcard server/*/*.h server/*/*/*.h tests/unit/*.h tests/system/*.h \
             tests/fuzz/*.h tests/determinism/*.h tests/bench/*.h tests/support/*.h))
# States that clang's analyzer looks at in a function: with its default of 225,000 it takes seven eighths of the time.
ANALYSED = -Xclang -analyzer-config -Xclang max-nodes=60000
# Not ctuuninitvar: across files cppcheck does not see that a fault is filled whenever the result is not RESULT_OK.
check: ## format, clang-tidy, cppcheck, include rule, generated files fresh, eslint, types of JavaScript and Python, shell syntax
	@tests/house/install.sh run python check
	@mkdir -p $(OUT)
	@$(MAKE) --no-print-directory fresh web/vendor/.made tests/node_modules/.made $(VENV)/.made
	@$(MAKE) --no-print-directory $(ALL_CORES) check-cppcheck check-tidy check-c check-javascript check-python
	@echo 'nothing to object to'
# A file that clang-tidy has found nothing in is looked at again when it, any header of the server or the settings change.
TIDIED = $(patsubst server/%.c,$(OUT)/tidy/%.ok,$(filter server/%,$(C_FILES)))
check-tidy: $(TIDIED)
	@echo '  clang-tidy'
$(OUT)/tidy/%.ok: server/%.c $(wildcard server/*/*.h server/*/*/*.h) .clang-tidy Makefile
	@mkdir -p $(@D)
	@clang-tidy --quiet --warnings-as-errors='*' $< -- -std=c17 -D_GNU_SOURCE -Iserver $(ANALYSED) 2>$(@:.ok=.err) || \
	  { grep -v 'warnings* generated' $(@:.ok=.err); exit 1; }
	@touch $@
check-c:
	@echo '  clang-format, include rule, syntax of shell'
	@clang-format --dry-run -Werror $(C_FILES) $(H_FILES) $(NATIVE)
	@node tests/house/includes.mjs
	@for script in tests/house/*.sh tests/cluster/*.sh tests/determinism/*.sh proto/python/*.sh docker/*.sh docker/*/*.sh .ci/run; do bash -n $$script || exit 1; done
check-cppcheck:
	@echo '  cppcheck'
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	  --suppress=missingIncludeSystem --suppress=ctuuninitvar --suppress=ctunullpointer \
	  --suppress=shiftTooManyBitsSigned:server/proto/frame/codec_lanes.h --suppress=negativeIndex:server/proto/frame/codec_inner.h \
	  -D_GNU_SOURCE -Iserver server
check-javascript:
	@echo '  eslint, types of JavaScript'
	@tests/node_modules/.bin/eslint --cache --cache-location $(OUT)/eslint --config tests/house/eslint.config.mjs web proto tests
	@tests/node_modules/.bin/tsc --project web/tsconfig.json
check-python:
	@echo '  ruff, types of Python'
	@cd proto/python && $(abspath $(VENV))/bin/ruff check --quiet --no-cache && $(abspath $(VENV))/bin/ruff format --check --quiet --no-cache
	@$(VENV)/bin/ruff check --quiet --no-cache --config proto/python/pyproject.toml tests/bench/python
	@$(VENV)/bin/ruff format --check --quiet --no-cache --config proto/python/pyproject.toml tests/bench/python
	@cd proto/python && $(abspath $(VENV))/bin/mypy --cache-dir $(abspath $(OUT))/mypy --no-error-summary

clean: ## remove $(OUT), web/vendor and the compressed files; the npm packages stay
	rm -rf $(OUT) web/vendor
	find web/client web/element web/viewer -name '*.gz' -delete

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

FORCE:
.PHONY: all cluster cluster-test npm python wheel test-wheel site lib install-lib programs fuzzers benches bench fresh generate run manual install uninstall deb test test-all unit asan tsan fuzz soak reliability test-debian13 test-deb check check-tidy check-c check-cppcheck check-javascript check-python clean help FORCE physics
.DELETE_ON_ERROR:
.SECONDARY:
