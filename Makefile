# Weft: build, run, test. `make help` lists the targets.
#
# One C compiler call per source file into $(OUT); nothing is generated outside build/ but what `make generate` writes.

OUT ?= build
CC ?= gcc
OPTIMISE ?= -O2
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wdouble-promotion \
            -Wvla -Wformat=2 -Wundef -Werror
CFLAGS_ALL = -std=c17 $(OPTIMISE) -g $(WARNINGS) -ffp-contract=off -fno-strict-aliasing -D_GNU_SOURCE -Iserver $(SANITISE) $(CFLAGS)

BASE  := $(wildcard server/base/*.c)
SIM   := $(wildcard server/sim/*.c)
PROTO := $(wildcard server/proto/*.c server/proto/gen/*.c)
NET   := $(wildcard server/net/*.c)
APP   := $(wildcard server/app/*.c)
TOOLS := $(wildcard server/tools/*.c)
object = $(patsubst %.c,$(OUT)/%.o,$(1))

WEFTD := $(OUT)/weftd
WEFTCTL := $(OUT)/weftctl

all: $(WEFTD) $(WEFTCTL)

$(WEFTD): $(call object,$(BASE) $(SIM) $(PROTO) $(NET) $(APP) server/main.c)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lwebsockets -lcjson -lqrencode -lpthread -lm
$(WEFTCTL): $(call object,$(BASE) $(PROTO) $(TOOLS))
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lwebsockets -lcjson -lpthread -lm

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
.PHONY: all
